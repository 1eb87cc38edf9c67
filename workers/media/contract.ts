export type FrameKind = 'dashboard' | 'reported'

/** Whose frame it is; empty texts become the placeholders of the wire format. */
type FrameOwner = { email: string; userSessionId: string }

/** How a frame is encoded on whichever thread; it is never made larger. */
export const FRAME_JPEG = { type: 'image/jpeg', quality: 0.8, widthMax: 640 } as const

/** Pixels of the JPEG of a picture of this size. */
export function jpegSize(width: number, height: number): { width: number; height: number } {
  const scale = Math.min(1, FRAME_JPEG.widthMax / width)
  return { width: Math.round(width * scale), height: Math.max(1, Math.round(height * scale)) }
}

/** Turns captured frames into JPEG and chat text into what the hub carries, off the UI thread. */
export interface MediaWorker {
  /**
   * Takes ownership of `frame`, uploads it as JPEG through the network worker; a Blob is a JPEG already. Rejects with
   * `encode-failed` or with the code of the failed upload.
   */
  captureFrame(frame: VideoFrame | ImageBitmap | Blob, kind: FrameKind, owner: FrameOwner): Promise<void>
  /** Takes ownership of `frame`; the JPEG of it, to be uploaded later or never. Rejects with `encode-failed`. */
  encodeFrame(frame: VideoFrame | ImageBitmap): Promise<Blob>
  /** Base64 of the UTF-8 text. */
  encodeChat(text: string): Promise<string>
  /** The text behind base64 that round-trips as valid UTF-8; anything else comes back as it is. */
  decodeChat(text: string): Promise<string>
  /**
   * Takes ownership of `port`, which leads to the network worker; null says that it died. Uploads that wait on an earlier port
   * reject with `worker-died`.
   */
  connectNetwork(port: MessagePort | null): Promise<void>
}
