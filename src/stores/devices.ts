import { computed, type ReadonlySignal, signal } from '@preact/signals-react'
import { FRAME_INTERVAL_MS } from '#protocol/constants.ts'
import { toAppError } from '#protocol/errors.ts'
import type { MediaTrouble } from '../domain/media-trouble.ts'
import type {
  Camera,
  CameraState,
  Clock,
  FrameCapture,
  Log,
  MediaChoice,
  MediaDevice,
  MediaKind,
  Storage,
} from '../domain/ports.ts'
import { mediaSettings, type Tier, tierFor } from '../domain/quality-tier.ts'

export type FrameOwner = { email: string; userSessionId: string }
export type DeviceStore = ReturnType<typeof createDeviceStore>

/** What is wrong with a device that was open: taken away, or paused by the system. */
export type Interruption = { kind: MediaKind; what: 'lost' | 'paused' }

/** Under these names the chosen devices are kept for the next visit. */
const keys = { camera: 'cameraId', microphone: 'microphoneId', speaker: 'speakerId' } as const

/** Camera, microphone and speaker, and the pictures that the dashboard sends for moderation. */
export function createDeviceStore(ports: {
  camera: Camera<MediaStream>
  frames: FrameCapture<MediaStream>
  storage: Storage<Blob>
  clock: Clock
  log: Log
}) {
  const { camera, frames, storage, clock, log } = ports
  const state = signal<CameraState>('unknown')
  const stream = signal<MediaStream | null>(null)
  const trouble = signal<MediaTrouble | null>(null)
  const interruption = signal<Interruption | null>(null)
  const available = signal<readonly MediaDevice[]>([])
  const microphoneOn = signal(true)
  const cameraOn = signal(true)
  const chosen = signal({ camera: '', microphone: '', speaker: '' })
  let facing: MediaChoice['facing'] = 'user'
  let opening: Promise<MediaStream> | null = null
  let wanted = false
  let stopFrames = () => {}
  /** A dashboard frame is on its way, perhaps since an earlier visit to the dashboard. */
  let busy = false
  let stopWatching = () => {}
  let stopDevices: (() => void) | null = null
  /** One device is opened at a time, in the order of the wishes. */
  let changes: Promise<void> = Promise.resolve()

  const tier = (): Tier => tierFor(camera.downlink(), camera.weakCpu())
  const settings = () => mediaSettings(tier(), camera.portrait())
  const choice = (): MediaChoice => ({ ...chosen.peek(), facing })

  async function recall(): Promise<void> {
    const [one, two, three] = await Promise.all([
      storage.get(keys.camera),
      storage.get(keys.microphone),
      storage.get(keys.speaker),
    ])
    const text = (value: unknown) => (typeof value === 'string' ? value : '')
    chosen.value = { camera: text(one), microphone: text(two), speaker: text(three) }
  }

  /** The one place where a stream becomes the current one: what watches and what is switched off follows it. */
  function show(next: MediaStream): void {
    stopWatching()
    camera.enable(next, 'audio', microphoneOn.peek())
    camera.enable(next, 'video', cameraOn.peek())
    stopWatching = camera.watch(next, interrupted)
    stream.value = next
  }

  function interrupted(kind: MediaKind, what: 'ended' | 'paused' | 'resumed'): void {
    if (what === 'resumed') {
      if (interruption.peek()?.kind === kind) interruption.value = null
      return
    }
    log.info(`The ${kind} track was ${what}`)
    interruption.value = { kind, what: what === 'ended' ? 'lost' : 'paused' }
    // Another device may take its place at once; else one that comes later will.
    if (what === 'ended') reopen(kind)
  }

  /** Opens a device of this kind anew, by what is chosen now. What is lost stays lost until a device comes. */
  function reopen(kind: MediaKind): void {
    changes = changes.then(async () => {
      const current = stream.peek()
      if (!current || !wanted) return
      // The track that is stopped on the way is no loss.
      stopWatching()
      try {
        const next = await camera.reopen(kind, current, settings(), choice())
        if (!wanted) {
          camera.close(next)
          return
        }
        show(next)
        if (interruption.peek()?.kind === kind) interruption.value = null
      } catch (thrown) {
        log.error(`The ${kind} device could not be opened again`, thrown)
        interruption.value = { kind, what: 'lost' }
        if (wanted) stopWatching = camera.watch(current, interrupted)
      }
    })
  }

  async function list(): Promise<void> {
    try {
      available.value = await camera.devices()
    } catch (thrown) {
      log.error('The devices could not be listed', thrown)
    }
  }

  /** A device or a permission came or went. */
  function devicesChanged(): void {
    void list()
    const lost = interruption.peek()
    if (lost?.what === 'lost') reopen(lost.kind)
    if (state.peek() === 'refused' && wanted) open().catch(() => {})
  }

  async function ask(): Promise<MediaStream> {
    state.value = 'asking'
    stopDevices ??= camera.onDevices(devicesChanged)
    try {
      await recall()
      const opened = await camera.open(settings(), choice())
      if (!wanted) {
        camera.close(opened)
        state.value = 'unknown'
        return opened
      }
      show(opened)
      state.value = 'granted'
      trouble.value = null
      void list()
      return opened
    } catch (thrown) {
      const { details } = toAppError(thrown)
      trouble.value = (details.trouble as MediaTrouble | undefined) ?? 'denied'
      state.value = 'refused'
      throw thrown
    } finally {
      opening = null
    }
  }

  function open(): Promise<MediaStream> {
    wanted = true
    const current = stream.peek()
    if (current) return Promise.resolve(current)
    opening ??= ask()
    return opening
  }

  function capture(source: MediaStream | null, kind: 'dashboard' | 'reported', owner: FrameOwner): Promise<void> {
    if (!source) {
      log.error('Camera permission is missing to capture video frame')
      return Promise.resolve()
    }
    return frames.capture(source, kind, owner).catch((thrown: unknown) => {
      log.error(`The ${kind} frame was not sent`, thrown)
    })
  }

  function toggle(kind: MediaKind, on: typeof microphoneOn): void {
    on.value = !on.peek()
    const current = stream.peek()
    if (current) camera.enable(current, kind, on.peek())
  }

  return {
    state: state as ReadonlySignal<CameraState>,
    /** Another object whenever one of its tracks is another. */
    stream: stream as ReadonlySignal<MediaStream | null>,
    /** Why camera and microphone were refused; null while they are not. */
    trouble: trouble as ReadonlySignal<MediaTrouble | null>,
    interruption: interruption as ReadonlySignal<Interruption | null>,
    available: available as ReadonlySignal<readonly MediaDevice[]>,
    /** Ids of the devices that are wanted; empty leaves it to the browser. */
    chosen: chosen as ReadonlySignal<{ camera: string; microphone: string; speaker: string }>,
    microphoneOn: microphoneOn as ReadonlySignal<boolean>,
    cameraOn: cameraOn as ReadonlySignal<boolean>,
    /** A phone has a camera on either side. */
    canFlip: computed(() => available.value.filter(({ kind }) => kind === 'camera').length > 1),
    /** What the network and the machine are good for now. */
    tier,

    /** Opens camera and microphone, once however many ask. Rejects with `camera-refused`. */
    open,

    close(): void {
      wanted = false
      stopFrames()
      stopFrames = () => {}
      stopWatching()
      stopWatching = () => {}
      stopDevices?.()
      stopDevices = null
      const current = stream.peek()
      if (current) camera.close(current)
      stream.value = null
      state.value = 'unknown'
      trouble.value = null
      interruption.value = null
      microphoneOn.value = true
      cameraOn.value = true
    },

    toggleMicrophone: () => toggle('audio', microphoneOn),
    toggleCamera: () => toggle('video', cameraOn),

    /** Changes to the camera on the other side of a phone. */
    flip(): void {
      facing = facing === 'user' ? 'environment' : 'user'
      chosen.value = { ...chosen.peek(), camera: '' }
      reopen('video')
    },

    /** Changes to this device, now and at the next visit. */
    choose(kind: MediaDevice['kind'], id: string): void {
      chosen.value = { ...chosen.peek(), [kind]: id }
      void storage.set(keys[kind], id)
      if (kind === 'camera') reopen('video')
      if (kind === 'microphone') reopen('audio')
    },

    /** Sends a picture every 10 s, one at a time, until the answer is called. Failures are logged only. */
    startFrames(owner: FrameOwner): () => void {
      stopFrames()
      const stop = clock.every(FRAME_INTERVAL_MS, () => {
        if (busy) return
        busy = true
        void capture(stream.peek(), 'dashboard', owner).finally(() => {
          busy = false
        })
      })
      stopFrames = stop
      return stop
    },

    /** Sends one picture of `source`, the own camera by default, as evidence of a report. Never rejects. */
    captureEvidence(owner: FrameOwner, source: MediaStream | null = stream.peek()): Promise<void> {
      return capture(source, 'reported', owner)
    },
  }
}
