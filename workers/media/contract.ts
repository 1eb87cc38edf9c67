import type { OnlineCounts } from '#protocol/online-counts.ts'
import type { PictureOf, PictureState } from '#protocol/picture-state.ts'

export type FrameKind = 'dashboard' | 'reported'

/** The user who sends the frame; empty strings become the placeholders of the wire format. */
type FrameOwner = { email: string; userSessionId: string }

/** How every thread encodes a frame. `widthMax` is in pixels; a smaller frame is not scaled up. */
export const FRAME_JPEG = { type: 'image/jpeg', quality: 0.8, widthMax: 640 } as const

/** How a profile picture is encoded; a smaller square is not scaled up. The server makes a WebP of at most this size of it. */
export const PROFILE_JPEG = { type: 'image/jpeg', quality: 0.9, side: 512 } as const

/** The square of a picture that is kept, in pixels of the upright picture. */
export type PictureCrop = { x: number; y: number; side: number }

/** Returns the size in pixels of the JPEG for a picture of this size. */
export function jpegSize(width: number, height: number): { width: number; height: number } {
  const scale = Math.min(1, FRAME_JPEG.widthMax / width)
  return { width: Math.round(width * scale), height: Math.max(1, Math.round(height * scale)) }
}

/** Encodes captured frames as JPEG, and chat texts for the hub, off the UI thread. */
export interface MediaWorker {
  /**
   * Uploads `frame` as JPEG through the network worker, and takes ownership of `frame`; a Blob is uploaded as it is. Rejects with
   * `encode-failed` or with the code of the failed upload. Resolves with the counts in the server's response; null if it has none.
   */
  captureFrame(frame: VideoFrame | ImageBitmap | Blob, kind: FrameKind, owner: FrameOwner): Promise<OnlineCounts | null>
  /** Returns `frame` as JPEG without uploading it, and takes ownership of `frame`. Rejects with `encode-failed`. */
  encodeFrame(frame: VideoFrame | ImageBitmap): Promise<Blob>
  /** Resolves with true if the browser replaces by noise what a page reads from pictures. */
  areReadsChanged(): Promise<boolean>
  /**
   * Returns the size of the upright picture. Rejects with `encode-failed` for a file that the browser cannot decode,
   * with `canvas-changed` if the browser would replace the picture by noise.
   */
  measurePicture(picture: Blob): Promise<{ width: number; height: number }>
  /** Returns the square of the picture as a small JPEG. Rejects with `encode-failed`. */
  cropPicture(picture: Blob, crop: PictureCrop): Promise<Blob>
  /**
   * Reads the picture, takes ownership of it, and returns what the readings so far show; null while there are too few.
   * `isFirst` is true if earlier readings were of another camera or peer. Rejects with `encode-failed`.
   */
  readPicture(picture: VideoFrame | ImageBitmap, of: PictureOf, isFirst: boolean): Promise<PictureState | null>
  /** Returns the base64 of the text's UTF-8. */
  encodeChat(text: string): Promise<string>
  /** Decodes canonical base64 of valid UTF-8; returns any other text unchanged. */
  decodeChat(text: string): Promise<string>
  /**
   * Connects to the network worker over `port` and takes ownership of the port; null means that the network worker died.
   * Uploads in flight on an earlier port reject with `worker-died`.
   */
  connectNetwork(port: MessagePort | null): Promise<void>
}
