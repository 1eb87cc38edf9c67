import { computed, effect, type ReadonlySignal, type Signal, signal, untracked } from '@preact/signals-react'
import { toAppError } from '#protocol/errors.ts'
import type { PictureOf, PictureState } from '#protocol/picture-state.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Log } from '../../platform/log.ts'
import type { PageState } from '../../platform/ports.ts'
import { createRememberedChoice, type RememberingPorts } from '../../platform/state/remembered-choice.ts'
import type { PictureLooks } from '../ports.ts'
import { type CurtainState, curtainStart, isOwnFlagged, type ShownPictures, showAnyway } from '../rules/curtain.ts'
import { lookAtPictures } from './picture-looker.ts'

/** Counts of one call, without data of a person or a picture. */
export type CurtainCounts = { model: string; looks: number; flagged: number; veils: number; shownAnyway: number }

type Looks = PictureLooks<HTMLVideoElement>
type CurtainPorts = RememberingPorts & {
  clock: Pick<Clock, 'now' | 'after'>
  log: Log
  page: Pick<PageState, 'hidden' | 'onVisibility'>
  loadLooks: () => Promise<Looks>
  whenIdle: (task: () => void) => void
  /** Flagged looks in a row that veil a picture; 0 if the operator has switched the check off. */
  looksToVeil: number
  /** Called with the state of a picture by all looks at it; null while there are too few. */
  judged: (of: PictureOf, shows: PictureState | null) => void
  /** Whether the peer sends a picture, and whether this user's camera is on. Reads signals. */
  sends: () => ShownPictures
  cores: number
  /** True while the browser or the user wants to save data. */
  isSaver: ReadonlySignal<boolean>
  sendCounts: (counts: CurtainCounts) => Promise<unknown>
  /** Id of the match while the call is connected, else null. */
  match: ReadonlySignal<string | null>
}

export type CurtainStore = ReturnType<typeof createCurtainStore>

/** The safety check of the pictures of a call, on this device only. */
export function createCurtainStore(ports: CurtainPorts) {
  const { looksToVeil, log, match } = ports
  const safety = createCurtainSwitch(ports)
  const rules = signal(curtainStart)
  const engine = createCurtainEngine(ports, rules, safety)

  // The veil is removed only when the next call begins: the peer's last picture may stay on the screen for a moment after a call.
  effect(() => {
    if (match.value === null) return
    rules.value = curtainStart
    return () => untracked(endCall)
  })

  effect(() => {
    const isWanted = looksToVeil > 0 && safety.on.value && match.value !== null && engine.hasBegun.value
    if (!isWanted) return
    return untracked(engine.run)
  })

  function endCall(): void {
    const { looks, flagged, veils, isChosen } = rules.peek()
    const model = engine.model.peek()
    engine.endCall()
    if (model === null || looks === 0) return
    const counts = { model, looks, flagged, veils, shownAnyway: Number(isChosen) }
    ports
      .sendCounts(counts)
      .catch((thrown: unknown) => log.error('The counts of the safety check were not sent', thrown))
  }

  return {
    /** False if the operator has switched the check off for everybody. */
    isOffered: looksToVeil > 0,
    state: engine.state,
    on: safety.on,
    restore: safety.restore,
    forget: safety.forget,

    /** Switches the check on or off. Switching it off lifts the veil. */
    choose(next: boolean): void {
      engine.forgetFault()
      safety.choose(next)
      if (!next) rules.value = showAnyway(rules.peek())
    },

    /** True while the peer's picture and sound must be hidden. */
    isVeiled: computed(() => rules.value.isVeiled),
    /** True while the check runs and the peer's browser may have veiled this user's picture. */
    isOwnFlagged: computed(() => engine.state.value.phase === 'on' && isOwnFlagged(rules.value, looksToVeil)),
    /** The looks at the peer's picture in this call; null before the first look. A new object after every look. */
    seen: computed(() => {
      const { looks, flagged } = rules.value
      const model = engine.model.value
      return match.value !== null && model !== null && looks > 0 ? { model, looks, flagged } : null
    }),

    /** Shows the veiled picture. It is not veiled again in this call. */
    showAnyway(): void {
      rules.value = showAnyway(rules.peek())
    },

    /** Call it at the first frame of the video element. Returns a function to call when it shows no picture. */
    showPicture: engine.showPicture,
  }
}

/** Why this device cannot do the check. */
type CurtainFault = 'no-simd' | 'model-missing' | 'model-damaged' | 'too-slow' | 'failed'
type CurtainPhase = { phase: 'off' | 'loading' | 'on' } | { phase: 'unavailable'; reason: CurtainFault }

const faults: Partial<Record<string, CurtainFault>> = {
  'curtain-no-simd': 'no-simd',
  'curtain-model-missing': 'model-missing',
  'curtain-model-damaged': 'model-damaged',
  'curtain-too-slow': 'too-slow',
}

/** Loads the model for each call, and runs its looks. */
function createCurtainEngine(ports: CurtainPorts, rules: Signal<CurtainState>, safety: CurtainSwitch) {
  const state = signal<CurtainPhase>({ phase: 'off' })
  const model = signal<string | null>(null)
  const hasBegun = signal(false)
  const pictures = createPictures(ports)

  /** Loads the model and starts the looks, unless `run` ends first. */
  async function look(run: { isOver: boolean; stop: () => void }): Promise<void> {
    state.value = { phase: 'loading' }
    const looks = await ports.loadLooks()
    if (run.isOver) return
    run.stop = () => looks.stop()
    const loaded = await looks.start()
    if (run.isOver) return
    if (!safety.goesOn(loaded.firstLookMs)) {
      fail(run, 'too-slow')
      return
    }
    model.value = loaded.model
    const failed = () => fail(run, 'failed')
    const stopLooking = lookAtPictures({ ...ports, ...pictures, looks, state: rules, failed })
    run.stop = () => {
      stopLooking()
      looks.stop()
    }
    state.value = { phase: 'on' }
  }

  function fail(run: { isOver: boolean; stop: () => void }, reason: CurtainFault): void {
    run.isOver = true
    run.stop()
    state.value = { phase: 'unavailable', reason }
  }

  return {
    state: state as ReadonlySignal<CurtainPhase>,
    /** Version of the model; null until it is loaded in this call. */
    model: model as ReadonlySignal<string | null>,
    /** True from the first frame of the call on. */
    hasBegun: hasBegun as ReadonlySignal<boolean>,

    /** Starts the check. Returns a function that ends it and its worker. */
    run(): () => void {
      const run = { isOver: false, stop: () => {} }
      ports.whenIdle(() => {
        if (run.isOver) return
        look(run).catch((thrown: unknown) => {
          if (run.isOver) return
          ports.log.error('The safety check did not start', thrown)
          const reason = faults[toAppError(thrown).code] ?? 'failed'
          if (reason === 'too-slow') safety.goesOn(Number.POSITIVE_INFINITY)
          fail(run, reason)
        })
      })
      return () => {
        if (!run.isOver) run.stop()
        run.isOver = true
        if (state.peek().phase !== 'unavailable') state.value = { phase: 'off' }
      }
    },

    showPicture(of: PictureOf, video: HTMLVideoElement): () => void {
      if (of === 'peer') hasBegun.value = true
      return pictures.show(of, video)
    },

    /** Allows the check to start again after a fault. */
    forgetFault(): void {
      if (state.peek().phase === 'unavailable') state.value = { phase: 'off' }
    },

    endCall(): void {
      hasBegun.value = false
      model.value = null
    },
  }
}

/** The video elements of the call, and which of them the user can see now. */
function createPictures({ page, sends }: Pick<CurtainPorts, 'page' | 'sends'>) {
  const videos = { peer: signal<HTMLVideoElement | null>(null), own: signal<HTMLVideoElement | null>(null) }
  const isHidden = signal(page.hidden())
  page.onVisibility(() => (isHidden.value = page.hidden()))

  /** True while the peer's picture is in a small window, which the browser may open after the page was hidden. */
  const isFloating = signal(false)

  return {
    shown(): ShownPictures {
      const sent = sends()
      const isVisible = !isHidden.value
      return {
        // If the peer says that no picture is sent, the page covers it; a picture-in-picture window does not.
        peer: videos.peer.value !== null && (isFloating.value || (isVisible && sent.peer)),
        own: videos.own.value !== null && isVisible && sent.own,
      }
    },
    videoOf: (of: PictureOf) => videos[of].peek(),
    /** Returns a function to call when the video no longer shows the picture. */
    show(of: PictureOf, video: HTMLVideoElement): () => void {
      const ending = new AbortController()
      const update = () => (isFloating.value = video.ownerDocument.pictureInPictureElement === video)
      videos[of].value = video
      if (of === 'peer') {
        update()
        for (const event of ['enterpictureinpicture', 'leavepictureinpicture'])
          video.addEventListener(event, update, { signal: ending.signal })
      }
      return () => {
        ending.abort()
        if (videos[of].peek() === video) videos[of].value = null
      }
    },
  }
}

/** Fewest processor cores with which the check is on, unless the user has chosen. */
const CORES_MIN = 4
/** Longest first look with which the check stays on. After a longer one it is off, unless the user has chosen. */
const FIRST_LOOK_MAX_MS = 300

type CurtainSwitch = ReturnType<typeof createCurtainSwitch>

/** Whether the safety check is on: as the user chose, or else if device and network can do it beside a call. */
function createCurtainSwitch(ports: CurtainPorts) {
  const options = ['automatic', 'on', 'off'] as const
  const { choice, restore, forget, choose } = createRememberedChoice(ports, 'curtain', options, 'automatic')
  const isSlow = signal(false)
  const isAutomatic = computed(() => ports.cores >= CORES_MIN && !ports.isSaver.value && !isSlow.value)

  return {
    on: computed(() => choice.value === 'on' || (choice.value === 'automatic' && isAutomatic.value)),
    /** Never rejects. */
    restore,
    forget,
    choose: (next: boolean): void => choose(next ? 'on' : 'off'),
    /** Whether the check continues after the first look: on a slow device only if the user switched it on. */
    goesOn(firstLookMs: number): boolean {
      isSlow.value = firstLookMs > FIRST_LOOK_MAX_MS
      return choice.peek() === 'on' || !isSlow.peek()
    },
  }
}
