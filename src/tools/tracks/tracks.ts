import type { MemberStores, VisitorStores } from '../../app/stores.ts'
import { drawLimits, drawStep } from './call-tracks.ts'
import { followChunks } from './chunk-track.ts'
import { followLongFrames } from './long-frame-track.ts'
import { createSignalTrack, followRenders } from './signal-track.ts'

const signals = createSignalTrack()

/** Loaded and called under `?trace` alone, for the lifetime of the page: docs/profiling.md. */
export function followPage(stores: VisitorStores): void {
  followLongFrames(location.origin)
  followChunks(location.origin)
  followRenders(signals)
  signals.follow(stores)
}

/** As `followPage`, for the stores that come with a login. */
export function followMember(stores: MemberStores): void {
  stores.quality.follow({ stepped: drawStep, limited: drawLimits })
  signals.follow(stores)
}
