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
   * Loads the model, and looks at an empty picture twice: the first look is slow. Resolves with the milliseconds of the second. Rejects with
   * `curtain-model-missing` if a file does not arrive, with `curtain-model-damaged` if its bytes are not those of the build.
   */
  load(files: CurtainFiles): Promise<number>
  /** Looks at the picture, of a very long one at its middle, squeezed into a square. Closes it. */
  look(picture: VideoFrame | ImageBitmap): Promise<FlaggedLook>
}
