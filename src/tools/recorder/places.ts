import type { Span } from '#workers/trace.ts'
import { followWays } from './connection-ways.ts'
import type { Places } from './findings.ts'
import { placesOfListeners } from './left-listeners.ts'
import type { LeftListener } from './listeners.ts'
import { followChanges } from './page-changes.ts'
import { followScreens, type Screens } from './screens.ts'
import { createSpanPlaces } from './span-places.ts'
import { createTally } from './tally.ts'

/** Follows from now on what findings are made from. */
export function followPlaces(screens: Screens, listeners: () => LeftListener[]) {
  const tasks = createTally()
  const chunks = createTally()
  const relays = createTally()
  const blocked = createTally()
  const storms = createTally()
  const layouts = createTally()
  const spans = createSpanPlaces()
  const ways = followWays({ relays, blocked })
  let screenSince = performance.now()
  followScreens(screens, chunks)
  followChanges({ storms, layouts })

  return {
    tasks,
    ways,
    take(span: Span): void {
      if (span.track === 'Routes') screenSince = span.end
      spans.take(span)
    },
    screenMs: () => performance.now() - screenSince,
    read: (): Places => ({
      'worker-task': spans.tasks(),
      'page-task': tasks.places(),
      'lost-message': spans.lost(),
      'late-chunk': chunks.places(),
      'leaked-listener': placesOfListeners(listeners()),
      'slow-relay': relays.places(),
      'blocked-udp': blocked.places(),
      'render-storm': storms.places(),
      'layout-thrash': layouts.places(),
      'stuck-queue': spans.waits(),
      'slow-provider': spans.provider(),
    }),
  }
}
