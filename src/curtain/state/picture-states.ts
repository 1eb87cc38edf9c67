import { computed, effect, type ReadonlySignal, signal, untracked } from '@preact/signals-react'
import type { PictureOf, PictureState } from '#protocol/picture-state.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Log } from '../../platform/log.ts'
import type { PageState } from '../../platform/ports.ts'
import type { PictureReader } from '../ports.ts'

/**
 * Time in which a picture is read every EVERY_MS. Later it is read every `laterMs`, since each reading takes several ms
 * of a worker and a message of the page's thread.
 */
const FIRST_MS = 10_000
const EVERY_MS = 1_000
const laterMs = { peer: 3_000, own: 5_000 } as const
/**
 * Share of the interval by which readings are shifted. At equal intervals, readings of a looped picture could always
 * meet the same moment of the loop.
 */
const SPREAD = 0.2
/** Golden ratio: the fractional parts of its multiples are spread evenly over 0 to 1. */
const GOLDEN = 0.618
/** Time after a look of the safety check in which the page does not read the picture itself. */
const LOOKED_MS = 7_000
/** Failed readings in a row after which reading ends. */
const FAILURES_MAX = 3

type Ports = {
  clock: Pick<Clock, 'now' | 'after'>
  log: Log
  page: Pick<PageState, 'hidden'>
  reader: PictureReader<HTMLVideoElement>
  /** Whether a moving picture is expected of the peer and of this user; reads signals. */
  moves: () => Record<PictureOf, boolean>
  /** Whether the peer's version says when its camera is off. If not, a black picture may mean that it is off. */
  peerTellsCameraOff: ReadonlySignal<boolean>
  /** Called when the peer's picture is found to show nobody. */
  peerMissed: () => void
}

export type PictureStateStore = ReturnType<typeof createPictureStates>

/** The states of the pictures of a call: from the looks of the safety check while it runs, or else from readings. */
export function createPictureStates({ clock, log, page, reader, moves, peerTellsCameraOff, peerMissed }: Ports) {
  const states = { peer: signal<PictureState>('fine'), own: signal<PictureState>('fine') }
  const lookedAt = { peer: Number.NEGATIVE_INFINITY, own: Number.NEGATIVE_INFINITY }
  const stateOf = (of: PictureOf) => computed(() => (moves()[of] ? states[of].value : 'fine'))
  const found = stateOf('peer')
  const shown: Record<PictureOf, ReadonlySignal<PictureState>> = {
    peer: computed(() => (found.value === 'black' && !peerTellsCameraOff.value ? 'fine' : found.value)),
    own: stateOf('own'),
  }

  // The state of a picture says nothing about the picture that follows after a pause.
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
    /** `fine` also while the state is unknown and while no moving picture is expected. */
    peer: shown.peer,
    own: shown.own,

    /** Called after a look of the safety check with the state of the picture; null while there are too few looks. */
    judged(of: PictureOf, state: PictureState | null): void {
      lookedAt[of] = clock.now()
      set(of, state)
    },

    /** Reads the picture that the video shows, until the returned function ends it. The own picture's state stays. */
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
