import type { FlaggedLook } from '#protocol/explicit-score.ts'
import type { PictureOf, PictureState } from '#protocol/picture-state.ts'

/** Side of the model's input, in pixels. */
export const LOOK_SIDE = 224

/** A file that the server serves, and the SHA-256 of its bytes in hexadecimal. */
export type CurtainFile = { url: string; digest: string }

/** What the worker loads: the WebAssembly code, the model's layers (`CurtainModel` as JSON), and its weights. */
export type CurtainFiles = { wasm: CurtainFile; layers: CurtainFile; weights: CurtainFile }

/**
 * A track to look at again and again. `inMs` is the time until the first look, `everyMs` the time from the start of one
 * look to the start of the next.
 */
type RoutineLook = { id: number; of: PictureOf; inMs: number; everyMs: number }

/** A look, and what the looks at this picture show over time: `state` is null while the looks are too few. */
export type PictureLook = FlaggedLook & { state: PictureState | null }

/** `index` is the track's place in the routine; times are since its start. `flagged` is null if there was no frame. */
export type EndedRoutineLook = {
  index: number
  startedMs: number
  endedMs: number
  flagged: boolean | null
  state: PictureState | null
}

/** Looks at pictures with a model, on this device alone: it sends nothing. */
export interface CurtainWorker {
  /**
   * Loads the model, and looks at an empty picture twice, since the first look is slow. Resolves with the milliseconds of the second look.
   * Rejects with `curtain-model-missing` if a file does not arrive, with `curtain-model-damaged` if its bytes are not those of the build.
   */
  load(files: CurtainFiles): Promise<number>
  /**
   * Looks at the picture, or at the middle of a very long one, squeezed into a square, and closes it. `of` is null for
   * a frame that may have been looked at before, which shows nothing about changes.
   */
  look(picture: VideoFrame | ImageBitmap, of: PictureOf | null): Promise<PictureLook>
  /** Takes the frames of a track, for `lookAt` with this id. Only the newest frame is kept, so frames need not be read. */
  watch(id: number, frames: ReadableStream<VideoFrame>): Promise<void>
  /** Looks at the newest frame of a track. Resolves with null if none came since the last look. */
  lookAt(id: number, of: PictureOf): Promise<PictureLook | null>
  /**
   * Looks at the newest frames of tracks at their times, one look at a time. A track is not looked at again until as
   * much time has passed as its last look took. Resolves with the looks when a look is flagged or finds no frame, when
   * no further look is due within `forMs`, or after `interrupt`.
   */
  keepLooking(routine: readonly RoutineLook[], forMs: number): Promise<EndedRoutineLook[]>
  /** Ends `keepLooking` after the look that runs. */
  interrupt(): Promise<void>
  /** Ends the frames of a track. */
  unwatch(id: number): Promise<void>
}
