import type { FlaggedLook } from '#protocol/explicit-score.ts'

/** Pixels a side of the model's input. */
export const LOOK_SIDE = 224

/** A file that the server serves, and the SHA-256 of its bytes in hexadecimal. */
export type CurtainFile = { url: string; digest: string }

/** What the worker loads: the WebAssembly code, the model's layers (`CurtainModel` as JSON), and its weights. */
export type CurtainFiles = { wasm: CurtainFile; layers: CurtainFile; weights: CurtainFile }

/** Looks at pictures with a model, on this device alone: it sends nothing. */
export interface CurtainWorker {
  /**
   * Loads the model, and looks at an empty picture twice: the first look is slow. Returns the milliseconds of the second. Rejects with
   * `curtain-model-missing` for a file that does not arrive, with `curtain-model-damaged` for one that is not as it was built.
   */
  load(files: CurtainFiles): Promise<number>
  /** Looks at the whole picture, squeezed into a square, and takes ownership of it. */
  look(picture: VideoFrame | ImageBitmap): Promise<FlaggedLook>
}
