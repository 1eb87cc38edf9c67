import { Signal } from '@preact/signals-react'
import { span } from '#workers/trace.ts'
import type { MemberStores, VisitorStores } from '../../app/stores.ts'
import { drawLimits, drawStep } from './call-tracks.ts'
import { followChunks, followLongFrames } from './page-tracks.ts'

/** Longest time from the change of a signal to a change of the page that it caused. */
const RENDER_WITHIN_MS = 100

const signals = createSignalTrack()

/** Draws the tracks of a page with `?trace`, until it is closed; see docs/profiling.md. */
export function followPage(stores: VisitorStores): void {
  followLongFrames(location.origin)
  followChunks(location.origin)
  followRenders(signals)
  signals.follow(stores)
}

/** Draws the tracks of the stores of a signed-in user. */
export function followMember(stores: MemberStores): void {
  stores.quality.follow({ stepped: drawStep, limited: drawLimits })
  signals.follow(stores)
}

/** Draws each signal from its change to the change of the page that follows. */
export function createSignalTrack() {
  const changed = new Map<string, number>()

  function note(name: string): void {
    const [since, now] = [changed.get(name), performance.now()]
    if (since === undefined || now - since > RENDER_WITHIN_MS) changed.set(name, now)
  }

  return {
    /** Follows the signals of these stores. A signal is named by store and property. Its values are not drawn. */
    follow(stores: object): void {
      for (const [name, signal] of signalsOf(stores)) {
        // `subscribe` also calls the listener at once, before any change.
        let isFollowed = false
        signal.subscribe(() => {
          if (isFollowed) note(name)
        })
        isFollowed = true
      }
    },
    /** Draws the signals that have just changed, from their change until now. */
    rendered(): void {
      const now = performance.now()
      for (const [name, since] of changed) if (now - since <= RENDER_WITHIN_MS) span('Signals', name, since, now)
      changed.clear()
    },
  }
}

/** Reports changes of the page to the track, for the page's lifetime. */
function followRenders(track: ReturnType<typeof createSignalTrack>): void {
  const observer = new MutationObserver(() => track.rendered())
  const what = { subtree: true, childList: true, characterData: true, attributes: true }
  observer.observe(document.documentElement, what)
}

function signalsOf(stores: object): [string, Signal<unknown>][] {
  return Object.entries(stores).flatMap(([store, parts]: [string, unknown]) =>
    typeof parts === 'object' && parts !== null
      ? Object.entries(parts).flatMap(([name, part]): [string, Signal<unknown>][] =>
          part instanceof Signal ? [[`${store}.${name}`, part]] : [],
        )
      : [],
  )
}
