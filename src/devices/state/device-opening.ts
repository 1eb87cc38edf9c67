import { computed, type ReadonlySignal, signal } from '@preact/signals-react'
import { isOneOf } from '#protocol/checks.ts'
import { AppError, toAppError } from '#protocol/errors.ts'
import type { Log } from '../../platform/log.ts'
import type { Camera, CameraState, DeviceChange, MediaChoice, MediaKind } from '../ports.ts'
import type { Interruption } from '../rules/interruption.ts'
import { type MediaTrouble, mediaTroubles } from '../rules/media-trouble.ts'
import type { MediaSettings } from '../rules/quality-tier.ts'
import type { Interruptions, LocalStream } from './local-stream.ts'

type ReopeningParts = {
  camera: Camera<MediaStream>
  log: Log
  local: LocalStream
  interruptions: Interruptions
  settings: () => MediaSettings
  choice: () => MediaChoice
}

const isTrouble = isOneOf(mediaTroubles)

/** Returns the trouble in the details of a `camera-refused` error. */
function troubleIn(thrown: unknown): MediaTrouble {
  const { trouble } = toAppError(thrown).details
  return isTrouble(trouble) ? trouble : 'denied'
}

export type DeviceReopening = ReturnType<typeof createDeviceReopening>

/** True if the user has refused: another attempt would only repeat the browser's question. */
const isRefusal = (trouble: MediaTrouble | null) => trouble === 'denied' || trouble === 'dismissed'

export function isRefused(interruption: Interruption | null): boolean {
  return interruption?.what === 'lost' && isRefusal(interruption.trouble)
}

/** Opens single devices of the current stream again, after an interruption or another choice. */
export function createDeviceReopening({ camera, log, local, interruptions, settings, choice }: ReopeningParts) {
  /** Opens these devices again. Never rejects: devices that cannot be opened are lost. */
  async function open(wanted: readonly MediaKind[]): Promise<void> {
    const before = local.current.peek()
    // A camera that is switched off is opened only when it is switched on.
    const kinds = wanted.filter((kind) => kind === 'audio' || local.cameraOn.peek())
    if (!before || kinds.length === 0) return
    try {
      const opened = await camera.reopen(kinds, before, settings(), choice())
      if (local.current.peek() !== before) {
        // The devices were closed meanwhile.
        camera.close(opened)
        return
      }
      for (const kind of kinds) interruptions.end(kind)
      // This may report the next interruption.
      local.show(opened, kinds)
    } catch (thrown) {
      log.error(`Devices could not be opened again: ${kinds.join(', ')}`, thrown)
      if (local.current.peek() !== before) return
      const trouble = troubleIn(thrown)
      for (const kind of kinds) interruptions.begin({ kind, what: 'lost', trouble })
      // The camera may open without the microphone, or the other way round.
      if (kinds.length > 1 && !isRefusal(trouble)) for (const kind of kinds) await open([kind])
    }
  }

  const turns = createTurns(open)

  /** Opens a device of this kind, by the choice when its turn begins. */
  const reopen = (kind: MediaKind) => turns.request(kind, () => true)

  /** Reopens an interrupted device, unless by then it is back or the user has refused it. */
  function restore(kind: MediaKind): void {
    const wasRefused = isRefused(interruptions.of(kind))
    void turns.request(kind, () => {
      const now = interruptions.of(kind)
      return now !== null && (wasRefused || !isRefused(now))
    })
  }

  return {
    reopen,
    restore,

    /** Called when the camera was switched. Opens it, or stops it. */
    switched(): void {
      if (local.cameraOn.peek()) void reopen('video')
      else
        turns.after(() => {
          if (local.cameraOn.peek()) return
          interruptions.end('video')
          try {
            local.darken()
          } catch (thrown) {
            log.error('The camera stays open, without a picture', thrown)
          }
        })
    },

    /**
     * Opens the newly chosen device; if that fails, the earlier device after `undo`. A refusal of the user ends it: no further question.
     */
    async change(kind: MediaKind, undo: () => void): Promise<void> {
      await reopen(kind)
      if (!interruptions.isLost(kind)) return
      undo()
      if (!isRefused(interruptions.of(kind))) await reopen(kind)
    },

    afterChanges: turns.after,

    /**
     * Resolves with the stream when none of its devices is lost. Rejects with `camera-refused`, or with `aborted` when
     * the stream is closed.
     */
    async complete(): Promise<MediaStream> {
      for (const kind of interruptions.kinds('lost')) restore(kind)
      await turns.ended()
      const current = local.current.peek()
      if (!current) throw new AppError('aborted')
      const [kind] = interruptions.kinds('lost')
      if (kind === undefined) return current
      const lost = interruptions.of(kind)
      const trouble = lost?.what === 'lost' ? lost.trouble : null
      throw new AppError('camera-refused', 'A device is lost', { trouble: trouble ?? 'absent' })
    },
  }
}

/** Calls `open` in the order of the requests, for the next devices when the call before has ended. */
function createTurns(open: (kinds: readonly MediaKind[]) => Promise<void>) {
  let last: Promise<void> = Promise.resolve()
  /** The next turn, not begun yet. Its devices are opened together, since a browser may ask the user each time. */
  let next: { needs: Map<MediaKind, () => boolean>; turn: Promise<void> } | null = null

  return {
    /** Resolves when the device has had its turn. `isNeeded` is asked when that begins. */
    request(kind: MediaKind, isNeeded: () => boolean): Promise<void> {
      if (next) {
        const earlier = next.needs.get(kind)
        next.needs.set(kind, () => isNeeded() || earlier?.() === true)
        return next.turn
      }
      const needs = new Map([[kind, isNeeded]])
      const turn = last.then(() => {
        next = null
        return open([...needs].filter(([, isStillNeeded]) => isStillNeeded()).map(([each]) => each))
      })
      next = { needs, turn }
      last = turn
      return turn
    },

    /** Runs `task` after the turns so far. */
    after(task: () => void): void {
      last = last.then(task)
    },

    /** Resolves after the turns so far. */
    ended: () => last,
  }
}

type OpeningParts = {
  camera: Camera<MediaStream>
  local: LocalStream
  /** Opens camera and microphone. Rejects with `camera-refused`. */
  request: () => Promise<MediaStream>
  /** Resolves with the open stream when none of its devices is lost. */
  complete: () => Promise<MediaStream>
  opened: () => void
  changed: (what: DeviceChange) => void
}

/** Troubles that may end without an event of the browser. */
const mayPass: ReadonlySet<MediaTrouble | null> = new Set<MediaTrouble>(['busy', 'absent', 'system'])

/** Opens camera and microphone together. After a refusal tries again when its cause may be gone. */
export function createDeviceOpening({ camera, local, request, complete, opened, changed }: OpeningParts) {
  const state = signal<CameraState>('unknown')
  const trouble = signal<MediaTrouble | null>(null)
  const allowed = signal(false)
  void camera.isAllowed().then((is) => {
    allowed.value = is
  })
  let opening: Promise<MediaStream> | null = null
  let isWanted = false
  /** The user has allowed the devices since the last request. A refusal that arrives later may be older. */
  let isAllowedSince = false
  let unsubscribe: (() => void) | null = null

  function devicesChanged(what: DeviceChange): void {
    if (what === 'permission') isAllowedSince = true
    if (state.peek() !== 'refused') changed(what)
    // A second refusal is visible in `state`.
    else if (what === 'permission' || mayPass.has(trouble.peek())) open().catch(() => {})
  }

  async function ask(): Promise<MediaStream> {
    isAllowedSince = false
    try {
      const stream = await request()
      if (!isWanted) {
        camera.close(stream)
        throw new AppError('aborted')
      }
      local.show(stream, ['video', 'audio'])
      state.value = 'granted'
      trouble.value = null
      opened()
      return stream
    } catch (thrown) {
      if (isWanted && isAllowedSince) return await ask()
      if (isWanted) {
        trouble.value = troubleIn(thrown)
        state.value = 'refused'
      }
      throw thrown
    } finally {
      opening = null
    }
  }

  function open(): Promise<MediaStream> {
    isWanted = true
    unsubscribe ??= camera.onDevices(devicesChanged)
    if (local.current.peek()) return complete()
    state.value = 'asking'
    opening ??= ask()
    return opening
  }

  return {
    state: state as ReadonlySignal<CameraState>,
    trouble: trouble as ReadonlySignal<MediaTrouble | null>,
    /** True if camera and microphone are open, or can be opened without the browser asking the user. */
    mayOpen: computed(() => local.current.value !== null || (allowed.value && state.value !== 'refused')),
    open,
    close(): void {
      isWanted = false
      unsubscribe?.()
      unsubscribe = null
      state.value = 'unknown'
      trouble.value = null
    },
  }
}
