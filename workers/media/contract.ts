export type FrameKind = 'dashboard' | 'reported'

/** Whose frame it is; empty texts become the placeholders of the wire format. */
type FrameOwner = { email: string; userSessionId: string }

/** Turns captured frames into JPEG and chat text into what the hub carries, off the UI thread. */
export interface MediaWorker {
  /**
   * Takes ownership of `frame`, uploads it as JPEG through the network worker. Rejects with `encode-failed` or with the
   * code of the failed upload.
   */
  captureFrame(frame: VideoFrame | ImageBitmap, kind: FrameKind, owner: FrameOwner): Promise<void>
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
