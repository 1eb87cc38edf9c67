import type { PictureOf, PictureState } from '#protocol/picture-state.ts'

/** A video to look at: `inMs` until the first look, then `everyMs` from the start of a look to the next start. */
export type RoutineLook<Video> = { video: Video; of: PictureOf; inMs: number; everyMs: number }

/** `index` is the look's place in the routine; times count from its start. `flagged` is null without a new picture. */
export type EndedRoutineLook = {
  index: number
  startedMs: number
  endedMs: number
  flagged: boolean | null
  /** What the looks at this picture show over time; null while they do not say enough. */
  state: PictureState | null
}

/** Looks at pictures for nudity, on this device alone. `Video` is the browser's HTMLVideoElement. */
export interface PictureLooks<Video> {
  /**
   * Loads the model in a worker of its own. Resolves after the first look, which took `firstLookMs`. Rejects with `curtain-no-simd`,
   * `curtain-model-missing`, `curtain-model-damaged` or `curtain-too-slow`.
   */
  start(): Promise<{ model: string; firstLookMs: number }>
  /** Looks at what the video shows now. `score` is 0 to 1. Resolves with null for a video that has no picture now. */
  look(video: Video, of: PictureOf): Promise<{ flagged: boolean; score: number; state: PictureState | null } | null>
  /**
   * Looks at the videos at their times without work for the page. Resolves with the looks when one is flagged or finds no new picture, when
   * no other is due within `forMs`, or after `interrupt`; with null where the browser cannot do it.
   */
  keepLooking(routine: readonly RoutineLook<Video>[], forMs: number): Promise<EndedRoutineLook[] | null>
  /** Ends `keepLooking`. May be called in any state. */
  interrupt(): void
  /** Ends the worker. May be called in any state. */
  stop(): void
}

/** Reads light and changes of a picture, off the UI thread. `Video` is the browser's HTMLVideoElement. */
export interface PictureReader<Video> {
  /**
   * Reads what the video shows now. Resolves with what the readings show so far: `fine` with the first one of another track; null while they
   * do not say enough, without a new frame, and in browsers that cannot read pictures in a worker.
   */
  read(video: Video, of: PictureOf): Promise<PictureState | null>
}
