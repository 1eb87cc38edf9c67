import { computed, effect, type ReadonlySignal, signal, untracked } from '@preact/signals-react'
import type { PictureOf, PictureState } from '#protocol/picture-state.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Log } from '../../platform/log.ts'
import type { PageState } from '../../platform/ports.ts'
import type { PictureReader } from '../ports.ts'

/** Time in which a picture is read once a second; later it is read every `laterMs`, because each reading costs several ms of a worker, and the page's thread a message. */
const FIRST_MS = 10_000
const EVERY_MS = 1_000
const laterMs = { peer: 3_000, own: 5_000 } as const
/** Readings move by this part of the interval: at equal intervals no two show the same moment of most loops. */
const SPREAD = 0.2
/** Successive multiples of it are spread evenly between whole numbers. */
const GOLDEN = 0.618
/** Time after a look of the safety check in which the page leaves the picture to it. */
const LOOKED_MS = 7_000
/** After this many failed readings in a row there are no more. */
const FAILURES_MAX = 3

type Ports = {
  clock: Pick<Clock, 'now' | 'after'>
  log: Log
  page: Pick<PageState, 'hidden'>
  reader: PictureReader<HTMLVideoElement>
  /** Whether the peer and the own camera send a picture that should move; reads signals. */
  moves: () => Record<PictureOf, boolean>
  /** Whether the peer says when its camera is off. If not, a black picture may mean that. */
  peerTellsCameraOff: ReadonlySignal<boolean>
  /** Called when the peer's picture turns out to show nobody. */
  peerMissed: () => void
}

export type PictureStateStore = ReturnType<typeof createPictureStates>

/** What the pictures of a call show over time: by the looks of the safety check while it runs, else by readings of their own. */
export function createPictureStates({ clock, log, page, reader, moves, peerTellsCameraOff, peerMissed }: Ports) {
  const states = { peer: signal<PictureState>('fine'), own: signal<PictureState>('fine') }
  const lookedAt = { peer: Number.NEGATIVE_INFINITY, own: Number.NEGATIVE_INFINITY }
  const stateOf = (of: PictureOf) => computed(() => (moves()[of] ? states[of].value : 'fine'))
  const found = stateOf('peer')
  const shown: Record<PictureOf, ReadonlySignal<PictureState>> = {
    peer: computed(() => (found.value === 'black' && !peerTellsCameraOff.value ? 'fine' : found.value)),
    own: stateOf('own'),
  }

  // What was found of a picture says nothing of the one that is sent after a pause.
  for (const of of ['peer', 'own'] as const)
    effect(() => {
      if (!moves()[of]) states[of].value = 'fine'
    })
  effect(() => {
    if (shown.peer.value !== 'fine') untracked(peerMissed)
  })

  const isRead = (of: PictureOf) => moves()[of] && !page.hidden() && clock.now() - lookedAt[of] > LOOKED_MS

  function set(of: PictureOf, state: PictureState | null): void {
    if (state) states[of].value = state
  }

  return {
    /** `fine` also while nothing is known and while no picture is sent. */
    peer: shown.peer,
    own: shown.own,

    /** A look of the safety check: what the looks at this picture show over time; null while they do not say enough. */
    judged(of: PictureOf, state: PictureState | null): void {
      lookedAt[of] = clock.now()
      set(of, state)
    },

    /** Reads the picture that the video shows. Returns a function that ends it. What is known of the own picture stays. */
    show(of: PictureOf, video: HTMLVideoElement): () => void {
      const startedAt = clock.now()
      let isOver = false
      let failures = 0
      let readings = 0
      let cancel = () => {}
      lookedAt[of] = Number.NEGATIVE_INFINITY

      function plan(): void {
        const everyMs = clock.now() - startedAt < FIRST_MS ? EVERY_MS : laterMs[of]
        readings += 1
        const spread = 1 + SPREAD * (((readings * GOLDEN) % 1) - 0.5)
        cancel = clock.after(everyMs * spread, () => void read())
      }

      async function read(): Promise<void> {
        try {
          const state = isRead(of) ? await reader.read(video, of) : null
          failures = 0
          if (!isOver) set(of, state)
        } catch (thrown) {
          failures += 1
          if (!isOver) log.error('A picture could not be read', thrown)
        }
        if (!isOver && failures < FAILURES_MAX) plan()
      }

      plan()
      return () => {
        isOver = true
        cancel()
        if (of === 'peer') states.peer.value = 'fine'
      }
    },
  }
}
