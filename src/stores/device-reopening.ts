import { isOneOf } from '#protocol/checks.ts'
import { AppError, toAppError } from '#protocol/errors.ts'
import { type MediaTrouble, mediaTroubles } from '../domain/media-trouble.ts'
import type { Camera, Log, MediaChoice, MediaKind } from '../domain/ports.ts'
import type { MediaSettings } from '../domain/quality-tier.ts'
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

/** The trouble that a `camera-refused` names. */
export function troubleIn(thrown: unknown): MediaTrouble {
  const { trouble } = toAppError(thrown).details
  return isTrouble(trouble) ? trouble : 'denied'
}

export type DeviceReopening = ReturnType<typeof createDeviceReopening>

/** Opens single devices of the current stream again: after an interruption, and after another choice. */
export function createDeviceReopening({ camera, log, local, interruptions, settings, choice }: Parts) {
  /** One device is opened at a time, in the order of the requests. */
  let changes: Promise<void> = Promise.resolve()
  const waiting = new Map<MediaKind, Promise<void>>()

  async function open(kind: MediaKind): Promise<void> {
    const before = local.current.peek()
    if (!before) return
    try {
      const next = await camera.reopen(kind, before, settings(), choice())
      if (local.current.peek() !== before) {
        // The screen was left in the meantime.
        camera.close(next)
        return
      }
      local.show(next)
      interruptions.end(kind)
    } catch (thrown) {
      log.error(`The ${kind} device could not be opened again`, thrown)
      if (local.current.peek() === before) interruptions.begin({ kind, what: 'lost', trouble: troubleIn(thrown) })
    }
  }

  /** Opens a device of this kind by the choice at that time. Never rejects: a device that does not open is lost. */
  function reopen(kind: MediaKind): Promise<void> {
    const requested = waiting.get(kind)
    if (requested) return requested
    const turn = changes.then(() => {
      waiting.delete(kind)
      return open(kind)
    })
    waiting.set(kind, turn)
    changes = turn
    return turn
  }

  return {
    reopen,

    /** Reopens after `undo` where the newly chosen device does not open. */
    async change(kind: MediaKind, undo: () => void): Promise<void> {
      await reopen(kind)
      if (!interruptions.isLost(kind)) return
      undo()
      await reopen(kind)
    },

    /** Runs `task` after the changes so far. */
    afterChanges(task: () => void): void {
      changes = changes.then(task)
    },

    /** Resolves with a stream of which no device is lost. Rejects with `camera-refused`, or `aborted` when it is closed. */
    async complete(): Promise<MediaStream> {
      for (const kind of interruptions.kinds('lost')) void reopen(kind)
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
