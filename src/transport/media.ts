import { AppError } from '#protocol/errors.ts'
import { transfer } from '#workers/rpc.ts'
import { span } from '#workers/trace.ts'
import type { ChatCodec, FrameCapture } from '../domain/ports.ts'
import { createFrameGrabber } from './frame-grabber.ts'
import type { Workers } from './workers.ts'

export function createChatCodec(workers: Pick<Workers, 'media'>): ChatCodec {
  return {
    encodeChat: (text) => workers.media().encodeChat(text),
    decodeChat: (text) => workers.media().decodeChat(text),
  }
}

/** Captures reject with `camera-refused` where there is no camera to capture from, or with the code of the failed upload. */
export function createFrameCapture(workers: Pick<Workers, 'media'>): FrameCapture<MediaStream> {
  const grab = createFrameGrabber()
  return {
    async capture(stream, kind, owner) {
      if (await cameraDenied())
        throw new AppError('camera-refused', 'Camera permission is missing to capture video frame')
      const start = performance.now()
      const frame = await grab(stream)
      span('Frames', 'grab', start)
      try {
        await workers.media().captureFrame(transfer(frame, [frame]), kind, owner)
      } finally {
        // Where it could not be handed over it is still ours, and an open frame holds one of the camera's few buffers.
        frame.close()
      }
    },
  }
}

/** False where the browser does not say. */
async function cameraDenied(): Promise<boolean> {
  try {
    const { state } = await navigator.permissions.query({ name: 'camera' })
    return state === 'denied'
  } catch {
    return false
  }
}
