/** Longest wait for a frame; frames are some tens of milliseconds apart. */
const FRAME_WAIT_MS = 50

export type FrameSource = ReturnType<typeof newestFrameOf>

/** Reads a frame only when it is asked for: the browser keeps only the newest unread frame. */
export function newestFrameOf(frames: ReadableStream<VideoFrame>) {
  const reader = frames.getReader()
  let newest: VideoFrame | null = null
  let reading: Promise<void> | null = null
  let isOver = false

  function keep(frame: VideoFrame | null): void {
    newest?.close()
    newest = frame
  }

  /** A read that takes longer than FRAME_WAIT_MS goes on: the next `take` waits for it again, or returns its frame. */
  async function read(): Promise<void> {
    // A track that has ended or failed has no more frames.
    const frame = await reader.read().then(
      ({ value }) => value,
      () => undefined,
    )
    reading = null
    if (isOver) frame?.close()
    else if (frame) keep(frame)
  }

  return {
    /** Resolves with the newest frame, which the caller closes; with null if none came since the last call. */
    async take(): Promise<VideoFrame | null> {
      reading ??= read()
      await Promise.race([reading, new Promise((resolve) => setTimeout(resolve, FRAME_WAIT_MS))])
      const frame = newest
      newest = null
      return frame
    },
    end(): void {
      isOver = true
      keep(null)
      reader.cancel().catch(() => {})
    },
  }
}
