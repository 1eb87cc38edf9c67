import type { Clock } from '../../platform/clock.ts'
import type { Log } from '../../platform/log.ts'
import type { Camera, DeviceChange, MediaDevice, MediaKind, TrackChange } from '../ports.ts'
import type { DeviceChoices } from './device-choices.ts'
import { type DeviceReopening, isRefused } from './device-opening.ts'
import type { Interruptions, LocalStream } from './local-stream.ts'

type Parts = {
  camera: Camera<MediaStream>
  clock: Clock
  log: Log
  local: LocalStream
  interruptions: Interruptions
  choices: DeviceChoices
  reopening: DeviceReopening
  /** Tells the user which microphone or speaker is used now. */
  moved: (labels: string) => void
}

/** Time after the page is shown within which most phones report the end of a pause. Some never report it. */
const RETAKE_MS = 2_000

export const kindOf = { camera: 'video', microphone: 'audio' } as const

/** Reacts when devices are connected or removed, and when the page is shown again. */
export function createDeviceChanges(parts: Parts) {
  const { camera, clock, log, local, interruptions, choices, reopening, moved } = parts
  let cancelRetake = () => {}

  /** If a chosen device is connected again, opens it in place of its substitute. */
  function follow(): void {
    const current = local.current.peek()
    if (!current) return
    for (const device of ['camera', 'microphone'] as const) {
      if (isRefused(interruptions.of(kindOf[device]))) continue
      const id = choices.chosen.peek()[device]
      const inUse = camera.deviceOf(current, kindOf[device])
      if (id !== '' && inUse !== '' && id !== inUse) void reopening.reopen(kindOf[device])
    }
  }

  /**
   * Follows the system's default devices. A browser keeps an open microphone when the system's default changes; the
   * speaker changes by itself.
   */
  function followSystem(devices: readonly MediaDevice[]): void {
    const audible = devices.filter(({ kind }) => kind !== 'camera')
    if (!local.current.peek() || audible.length === 0) return
    if (audible.some(({ kind }) => kind === 'microphone') && !interruptions.isLost('audio'))
      void reopening.reopen('audio')
    const labels = new Set(audible.map(({ label }) => label))
    labels.delete('')
    if (labels.size > 0) moved([...labels].join(', '))
  }

  /** Resolves with the devices that have become the system's default. */
  async function list(): Promise<readonly MediaDevice[]> {
    try {
      const others = choices.listed(await camera.devices())
      reopening.afterChanges(follow)
      return others
    } catch (thrown) {
      log.error('The devices could not be listed', thrown)
      return []
    }
  }

  function retakeLater(): void {
    cancelRetake()
    cancelRetake = clock.after(RETAKE_MS, () => {
      for (const kind of interruptions.kinds('paused')) reopening.restore(kind)
    })
  }

  return {
    list,

    changed(what: DeviceChange): void {
      for (const kind of interruptions.kinds('lost')) {
        // After a refusal only a granted permission is a reason to try again: a browser that asks at each use would ask
        // whenever the user comes back from another tab.
        if (what === 'permission' || !isRefused(interruptions.of(kind))) reopening.restore(kind)
      }
      if (what !== 'shown') void list().then(followSystem)
      else retakeLater()
    },

    interrupted(kind: MediaKind, what: TrackChange): void {
      // Events of the black track of a camera that is off say nothing about the camera.
      if (kind === 'video' && !local.cameraOn.peek()) return
      log.info(`The ${kind} track was ${what}`)
      if (what === 'paused') interruptions.begin({ kind, what })
      if (what === 'ended') {
        interruptions.begin({ kind, what: 'lost', trouble: null })
        // A device that is there may replace it at once, otherwise a device that is connected later.
        reopening.restore(kind)
      }
      if (what === 'resumed' && !interruptions.isLost(kind)) {
        interruptions.end(kind)
        // After a phone call an iPhone's microphone reports that it has resumed, but is silent until it is reopened.
        if (kind === 'audio') void reopening.reopen(kind)
      }
    },

    stop: () => cancelRetake(),
  }
}
