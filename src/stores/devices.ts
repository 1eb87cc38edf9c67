import { computed, effect, type ReadonlySignal, signal } from '@preact/signals-react'
import { AppError } from '#protocol/errors.ts'
import type { MediaTrouble } from '../domain/media-trouble.ts'
import type {
  Camera,
  CameraState,
  Clock,
  DeviceChange,
  FrameCapture,
  Log,
  MediaChoice,
  MediaDevice,
  MediaKind,
  Storage,
} from '../domain/ports.ts'
import { mediaSettings, type Tier, tierFor } from '../domain/quality-tier.ts'
import { createCameraFrames } from './camera-frames.ts'
import { createDeviceChoices } from './device-choices.ts'
import { createLocalStream, troubleIn } from './local-stream.ts'

export type DeviceStore = ReturnType<typeof createDeviceStore>

/** Some phones never report the end of a pause. Others do within this time after the page is visible again. */
const REOPEN_PAUSED_MS = 2_000

const mediaKinds: readonly MediaKind[] = ['video', 'audio']
const kindOf = { camera: 'video', microphone: 'audio' } as const
/** Troubles that may end without an event from the browser. */
const mayPass: ReadonlySet<MediaTrouble | null> = new Set<MediaTrouble>(['busy', 'absent', 'system'])

/** Camera, microphone and speaker: opened, chosen, switched off, and opened again after a loss. */
export function createDeviceStore(ports: {
  camera: Camera<MediaStream>
  frames: FrameCapture<MediaStream>
  storage: Pick<Storage<Blob>, 'get' | 'set'>
  clock: Clock
  log: Log
}) {
  const { camera, storage, clock, log } = ports
  const state = signal<CameraState>('unknown')
  const trouble = signal<MediaTrouble | null>(null)
  const level = signal(0)
  const choices = createDeviceChoices(storage, log)
  let facing: MediaChoice['facing'] = 'user'
  const tier = (): Tier => tierFor(camera.downlink(), camera.weakCpu())
  const settings = () => mediaSettings(tier(), camera.portrait())
  const choice = (): MediaChoice => ({
    camera: choices.wanted('camera'),
    microphone: choices.wanted('microphone'),
    facing,
  })
  const local = createLocalStream({ camera, log, settings, choice })
  const { stream, interruptions, reopen } = local
  const cameraFrames = createCameraFrames(ports, stream)
  let opening: Promise<MediaStream> | null = null
  let wanted = false
  let stopDevices: (() => void) | null = null
  let cancelReopening = () => {}

  /** Changes the device; if the new one cannot be opened, opens the previous one again. */
  async function change(kind: MediaKind, undo: () => void): Promise<void> {
    await reopen(kind)
    if (!interruptions.isLost(kind)) return
    undo()
    await reopen(kind)
  }

  async function list(): Promise<void> {
    try {
      choices.listed(await camera.devices())
      local.afterChanges(followChoices)
    } catch (thrown) {
      log.error('The devices could not be listed', thrown)
    }
  }

  /** Switches back to a chosen device that is available again. */
  function followChoices(): void {
    const current = stream.peek()
    if (!current) return
    for (const device of ['camera', 'microphone'] as const) {
      const id = choices.chosen.peek()[device]
      const inUse = camera.deviceOf(current, kindOf[device])
      if (id !== '' && inUse !== '' && id !== inUse) void reopen(kindOf[device])
    }
  }

  function devicesChanged(what: DeviceChange): void {
    if (state.peek() === 'refused') {
      // A rejection is a state of this store.
      if (what === 'permission' || mayPass.has(trouble.peek())) open().catch(() => {})
      return
    }
    reopenLost()
    if (what !== 'shown') void list()
    else reopenPausedLater()
  }

  function reopenLost(): void {
    for (const kind of mediaKinds) if (interruptions.isLost(kind)) void reopen(kind)
  }

  function reopenPausedLater(): void {
    cancelReopening()
    cancelReopening = clock.after(REOPEN_PAUSED_MS, () => {
      for (const kind of mediaKinds) if (interruptions.isPaused(kind)) void reopen(kind)
    })
  }

  async function openFirst(): Promise<MediaStream> {
    try {
      await choices.recall()
      const opened = await camera.open(settings(), choice())
      if (!wanted) {
        camera.close(opened)
        throw new AppError('aborted')
      }
      local.show(opened)
      state.value = 'granted'
      trouble.value = null
      void list()
      return opened
    } catch (thrown) {
      if (wanted) {
        trouble.value = troubleIn(thrown)
        state.value = 'refused'
      }
      throw thrown
    } finally {
      opening = null
    }
  }

  /** Opens lost devices again, and rejects if one stays lost: a match needs both picture and sound. */
  async function complete(): Promise<MediaStream> {
    reopenLost()
    await local.settled()
    const current = stream.peek()
    if (!current) throw new AppError('aborted')
    const lost = interruptions.troubleOf('video') ?? interruptions.troubleOf('audio')
    if (lost) throw new AppError('camera-refused', 'A device is lost', { trouble: lost })
    return current
  }

  function open(): Promise<MediaStream> {
    wanted = true
    stopDevices ??= camera.onDevices(devicesChanged)
    if (stream.peek()) return complete()
    state.value = 'asking'
    opening ??= openFirst()
    return opening
  }

  return {
    state: state as ReadonlySignal<CameraState>,
    /** A new object whenever a track is replaced. */
    stream,
    /** Why camera and microphone were refused; null if they were not. */
    trouble: trouble as ReadonlySignal<MediaTrouble | null>,
    interruption: interruptions.shown,
    available: choices.available,
    /** Ids of the chosen devices that are available; empty if the browser chooses. */
    chosen: choices.chosen,
    microphoneOn: local.enabled.audio,
    cameraOn: local.enabled.video,
    /** Loudness of the microphone from 0 to 1, while it is measured. */
    level: level as ReadonlySignal<number>,
    /** True with more than one camera, like a phone's front and rear ones. */
    canFlip: computed(() => choices.available.value.filter(({ kind }) => kind === 'camera').length > 1),
    /** The capture tier for the current network and machine. */
    tier,

    /** Opens camera and microphone once for concurrent callers. Rejects with `camera-refused`, or with `aborted` after `close`. */
    open,

    close(): void {
      wanted = false
      cameraFrames.stopFrames()
      stopDevices?.()
      stopDevices = null
      cancelReopening()
      local.close()
      state.value = 'unknown'
      trouble.value = null
      facing = 'user'
    },

    toggleMicrophone: () => local.toggle('audio'),
    toggleCamera: () => local.toggle('video'),

    /** Switches between a phone's front and rear camera. */
    flip(): void {
      const before = facing
      const after = before === 'user' ? 'environment' : 'user'
      facing = after
      choices.leaveOpen('camera')
      void change('video', () => {
        if (facing === after) facing = before
      })
    },

    /** Switches to this device, and stores the choice. */
    choose(kind: MediaDevice['kind'], id: string): void {
      const undo = choices.choose(kind, id)
      if (kind !== 'speaker') void change(kindOf[kind], undo)
    },

    /** Measures the loudness of the current microphone. Returns a function that stops it. */
    measureLevel(): () => void {
      return effect(() => {
        level.value = 0
        const current = stream.value
        if (!current) return undefined
        return camera.measure(current, (loudness) => {
          level.value = loudness
        })
      })
    },

    startFrames: cameraFrames.startFrames,
    captureEvidence: cameraFrames.captureEvidence,
    keepEvidence: cameraFrames.keepEvidence,
    sendEvidence: cameraFrames.sendEvidence,
    forgetEvidence: cameraFrames.forgetEvidence,
  }
}
