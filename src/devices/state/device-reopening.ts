import { isOneOf } from '#protocol/checks.ts'
import { AppError, toAppError } from '#protocol/errors.ts'
import type { Log } from '../../platform/log.ts'
import type { Camera, MediaChoice, MediaKind } from '../ports.ts'
import type { Interruption } from '../rules/interruption.ts'
import { type MediaTrouble, mediaTroubles } from '../rules/media-trouble.ts'
import type { MediaSettings } from '../rules/quality-tier.ts'
import type { Interruptions } from './interruptions.ts'
import type { LocalStream } from './local-stream.ts'

type Parts = {
  camera: Camera<MediaStream>
  log: Log
  local: LocalStream
  interruptions: Interruptions
  settings: () => MediaSettings
  choice: () => MediaChoice
}

const isTrouble = isOneOf(mediaTroubles)

/** Returns the trouble in the details of a `camera-refused` error. */
export function troubleIn(thrown: unknown): MediaTrouble {
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
export function createDeviceReopening({ camera, log, local, interruptions, settings, choice }: Parts) {
  /** The chain of turns, which run one at a time in the order of the requests. */
  let changes: Promise<void> = Promise.resolve()
  /** The next turn, not begun yet. Its devices are opened together, since a browser may ask the user each time. */
  let next: { needs: Map<MediaKind, () => boolean>; turn: Promise<void> } | null = null

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
      // One of the devices may open without the other.
      if (kinds.length > 1 && !isRefusal(trouble)) for (const kind of kinds) await open([kind])
    }
  }

  function request(kind: MediaKind, isNeeded: () => boolean): Promise<void> {
    if (next) {
      const earlier = next.needs.get(kind)
      next.needs.set(kind, () => isNeeded() || earlier?.() === true)
      return next.turn
    }
    const needs = new Map([[kind, isNeeded]])
    const turn = changes.then(() => {
      next = null
      return open([...needs].filter(([, isStillNeeded]) => isStillNeeded()).map(([each]) => each))
    })
    next = { needs, turn }
    changes = turn
    return turn
  }

  /** Opens a device of this kind, by the choice when its turn begins. */
  const reopen = (kind: MediaKind) => request(kind, () => true)

  /** Reopens an interrupted device, unless by then it is back or the user has refused it. */
  function restore(kind: MediaKind): void {
    const wasRefused = isRefused(interruptions.of(kind))
    void request(kind, () => {
      const now = interruptions.of(kind)
      return now !== null && (wasRefused || !isRefused(now))
    })
  }

  return {
    reopen,
    restore,

    /** Opens the camera if it was switched on, or stops it if it was switched off. */
    switched(): void {
      if (local.cameraOn.peek()) void reopen('video')
      else
        changes = changes.then(() => {
          if (local.cameraOn.peek()) return
          interruptions.end('video')
          try {
            local.darken()
          } catch (thrown) {
            log.error('The camera stays open, without a picture', thrown)
          }
        })
    },

    /** Opens the chosen device. If that fails, undoes the choice and opens the earlier one, unless the user refused. */
    async change(kind: MediaKind, undo: () => void): Promise<void> {
      await reopen(kind)
      if (!interruptions.isLost(kind)) return
      undo()
      if (!isRefused(interruptions.of(kind))) await reopen(kind)
    },

    /** Runs `task` after the changes so far. */
    afterChanges(task: () => void): void {
      changes = changes.then(task)
    },

    /**
     * Resolves with the stream when none of its devices is lost. Rejects with `camera-refused`, or with `aborted` when
     * the stream is closed.
     */
    async complete(): Promise<MediaStream> {
      for (const kind of interruptions.kinds('lost')) restore(kind)
      await changes
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
