import type { PictureOf, PictureState } from '#protocol/picture-state.ts'

/**
 * A video that is looked at repeatedly. `inMs`: time until the first look. `everyMs`: time from the start of one look
 * to the start of the next.
 */
export type RoutineLook<Video> = { video: Video; of: PictureOf; inMs: number; everyMs: number }

/**
 * A look of a routine. `index`: position of its video in the routine. Times are since the start of the routine.
 * `flagged` is null if there was no new picture.
 */
export type EndedRoutineLook = {
  index: number
  startedMs: number
  endedMs: number
  flagged: boolean | null
  /** State of the picture, by all looks at it; null while there are too few. */
  state: PictureState | null
}

/** Checks pictures for nudity, on this device only. `Video` is the browser's HTMLVideoElement. */
export interface PictureLooks<Video> {
  /**
   * Loads the model in its own worker. Resolves after the first look, which took `firstLookMs`. Rejects with
   * `curtain-no-simd`, `curtain-model-missing`, `curtain-model-damaged` or `curtain-too-slow`.
   */
  start(): Promise<{ model: string; firstLookMs: number }>
  /** Looks at the current frame. `score` is from 0 to 1. Resolves with null if the video has no picture now. */
  look(video: Video, of: PictureOf): Promise<{ flagged: boolean; score: number; state: PictureState | null } | null>
  /**
   * Looks at the videos at their times without work for the page. Resolves with the looks when one is flagged or finds no new picture, when
   * no further look is due within `forMs`, or after `interrupt`. Resolves with null if the browser cannot do this.
   */
  keepLooking(routine: readonly RoutineLook<Video>[], forMs: number): Promise<EndedRoutineLook[] | null>
  /** Ends `keepLooking`. May be called in any state. */
  interrupt(): void
  /** Ends the worker. May be called in any state. */
  stop(): void
}

/** Measures luminance and changes of a picture, off the UI thread. `Video` is the browser's HTMLVideoElement. */
export interface PictureReader<Video> {
  /**
   * Reads the current frame of the video. Resolves with the state that the readings so far show; with `fine` at the
   * first reading of another track. Resolves with null while there are too few readings, if there is no new frame, and
   * if the browser cannot read pictures in a worker.
   */
  read(video: Video, of: PictureOf): Promise<PictureState | null>
}
