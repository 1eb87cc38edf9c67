import { type ReadonlySignal, type Signal, signal } from '@preact/signals-react'
import { toAppError } from '#protocol/errors.ts'
import type { PictureOf, PictureState } from '#protocol/picture-state.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Log } from '../../platform/log.ts'
import type { PageState } from '../../platform/ports.ts'
import type { PictureLooks } from '../ports.ts'
import type { CurtainState, ShownPictures } from '../rules/curtain.ts'
import type { CurtainSwitch } from './curtain-switch.ts'
import { lookAtPictures } from './picture-looker.ts'

/** Why the check cannot be done here. */
type CurtainFault = 'no-simd' | 'model-missing' | 'model-damaged' | 'too-slow' | 'failed'
type CurtainPhase = { phase: 'off' | 'loading' | 'on' } | { phase: 'unavailable'; reason: CurtainFault }

const faults: Partial<Record<string, CurtainFault>> = {
  'curtain-no-simd': 'no-simd',
  'curtain-model-missing': 'model-missing',
  'curtain-model-damaged': 'model-damaged',
  'curtain-too-slow': 'too-slow',
}

type Looks = PictureLooks<HTMLVideoElement>

export type EnginePorts = {
  clock: Pick<Clock, 'now' | 'after'>
  log: Log
  page: Pick<PageState, 'hidden' | 'onVisibility'>
  /** Loads the code of the looks. */
  loadLooks: () => Promise<Looks>
  /** Runs a task when the page has nothing else to do. */
  whenIdle: (task: () => void) => void
  /** Flagged looks in a row that veil a picture; 0 if this installation has no check. */
  looksToVeil: number
  /** Called with what the looks at a picture show over time; null while they do not say enough. */
  judged: (of: PictureOf, shows: PictureState | null) => void
  /** Whether the peer sends a picture, and whether the user's own camera is on; reads signals. */
  sends: () => ShownPictures
}

/** Loads the model for each call, and runs its looks. */
export function createCurtainEngine(ports: EnginePorts, rules: Signal<CurtainState>, safety: CurtainSwitch) {
  const state = signal<CurtainPhase>({ phase: 'off' })
  const model = signal<string | null>(null)
  const hasBegun = signal(false)
  const pictures = createPictures(ports)

  /** Loads the model and starts the looks, unless `run` is over before. */
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

    /** Returns a function that ends the worker. */
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

    /** Lets the check start again after a fault. */
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
function createPictures({ page, sends }: Pick<EnginePorts, 'page' | 'sends'>) {
  const videos = { peer: signal<HTMLVideoElement | null>(null), own: signal<HTMLVideoElement | null>(null) }
  const isHidden = signal(page.hidden())
  page.onVisibility(() => (isHidden.value = page.hidden()))

  /** True while the peer's picture is in a small window, which the browser may also open after it has hidden the page. */
  const isFloating = signal(false)

  return {
    shown(): ShownPictures {
      const sent = sends()
      const isVisible = !isHidden.value
      return {
        // The page covers the picture of a peer who says that none is sent. The small window does not.
        peer: videos.peer.value !== null && (isFloating.value || (isVisible && sent.peer)),
        own: videos.own.value !== null && isVisible && sent.own,
      }
    },
    videoOf: (of: PictureOf) => videos[of].peek(),
    /** Returns a function that ends it. */
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
