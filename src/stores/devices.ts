import { computed, effect, type ReadonlySignal, signal } from '@preact/signals-react'
import * as v from 'valibot'
import { AppError, toAppError } from '#protocol/errors.ts'
import { parse } from '#protocol/parse.ts'
import { type MediaTrouble, mediaTroubles } from '../domain/media-trouble.ts'
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

export type DeviceStore = ReturnType<typeof createDeviceStore>

/** What is wrong with a device that was open: paused by the system, or taken away; `trouble` says why no other came. */
export type Interruption =
  | { kind: MediaKind; what: 'paused' }
  | { kind: MediaKind; what: 'lost'; trouble: MediaTrouble | null }

/** Some phones never say that a pause is over. Others do within this time after the page is looked at again. */
const RETAKE_MS = 2_000

const troubleSchema = v.fallback(v.picklist(mediaTroubles), 'denied')
const mediaKinds: readonly MediaKind[] = ['video', 'audio']
const kindOf = { camera: 'video', microphone: 'audio' } as const
/** What may have ended without the browser telling. */
const mayPass: ReadonlySet<MediaTrouble | null> = new Set<MediaTrouble>(['busy', 'absent', 'system'])

const troubleIn = (thrown: unknown): MediaTrouble => parse(troubleSchema, toAppError(thrown).details.trouble)

/** Camera, microphone and speaker: opened, chosen, switched off, and taken back when they were lost. */
export function createDeviceStore(ports: {
  camera: Camera<MediaStream>
  frames: FrameCapture<MediaStream>
  storage: Pick<Storage<Blob>, 'get' | 'set'>
  clock: Clock
  log: Log
}) {
  const { camera, storage, clock, log } = ports
  const state = signal<CameraState>('unknown')
  const stream = signal<MediaStream | null>(null)
  const trouble = signal<MediaTrouble | null>(null)
  const interruptions = signal<Partial<Record<MediaKind, Interruption>>>({})
  const microphoneOn = signal(true)
  const cameraOn = signal(true)
  const level = signal(0)
  const choices = createDeviceChoices(storage, log)
  const cameraFrames = createCameraFrames(ports, stream)
  let facing: MediaChoice['facing'] = 'user'
  let opening: Promise<MediaStream> | null = null
  let wanted = false
  let stopWatching = () => {}
  let stopDevices: (() => void) | null = null
  let stopRetaking = () => {}
  /** One device is opened at a time, in the order of the wishes. */
  let changes: Promise<void> = Promise.resolve()
  const waiting = new Map<MediaKind, Promise<void>>()

  const tier = (): Tier => tierFor(camera.downlink(), camera.weakCpu())
  const settings = () => mediaSettings(tier(), camera.portrait())
  const choice = (): MediaChoice => ({
    camera: choices.wanted('camera'),
    microphone: choices.wanted('microphone'),
    facing,
  })
  const isLost = (kind: MediaKind) => interruptions.peek()[kind]?.what === 'lost'

  /** The one place where a stream becomes the current one: what watches and what is switched off follows it. */
  function show(next: MediaStream): void {
    stopWatching()
    camera.enable(next, 'audio', microphoneOn.peek())
    camera.enable(next, 'video', cameraOn.peek())
    stopWatching = camera.watch(next, interrupted)
    stream.value = next
  }

  function interrupt(interruption: Interruption): void {
    interruptions.value = { ...interruptions.peek(), [interruption.kind]: interruption }
  }

  function mend(kind: MediaKind): void {
    const { [kind]: _, ...rest } = interruptions.peek()
    interruptions.value = rest
  }

  function interrupted(kind: MediaKind, what: 'ended' | 'paused' | 'resumed'): void {
    log.info(`The ${kind} track was ${what}`)
    if (what === 'paused') interrupt({ kind, what })
    if (what === 'ended') {
      interrupt({ kind, what: 'lost', trouble: null })
      // Another device may take its place at once; else one that comes later will.
      void reopen(kind)
    }
    if (what === 'resumed' && !isLost(kind)) {
      mend(kind)
      // After a phone call an iPhone's microphone is back in name only, and stays silent until it is opened anew.
      if (kind === 'audio') void reopen(kind)
    }
  }

  /** Opens a device of this kind anew, by what is chosen then. Never rejects: what did not open is lost. */
  function reopen(kind: MediaKind): Promise<void> {
    const asked = waiting.get(kind)
    if (asked) return asked
    const turn = changes.then(() => {
      waiting.delete(kind)
      return retake(kind)
    })
    waiting.set(kind, turn)
    changes = turn
    return turn
  }

  async function retake(kind: MediaKind): Promise<void> {
    const current = stream.peek()
    if (!current) return
    try {
      const next = await camera.reopen(kind, current, settings(), choice())
      if (stream.peek() !== current) {
        // The screen was left in the meantime.
        camera.close(next)
        return
      }
      show(next)
      mend(kind)
    } catch (thrown) {
      log.error(`The ${kind} device could not be opened again`, thrown)
      if (stream.peek() === current) interrupt({ kind, what: 'lost', trouble: troubleIn(thrown) })
    }
  }

  /** Changes the device; where the new one does not open, the one before comes back. */
  async function change(kind: MediaKind, undo: () => void): Promise<void> {
    await reopen(kind)
    if (!isLost(kind)) return
    undo()
    await reopen(kind)
  }

  async function list(): Promise<void> {
    try {
      choices.listed(await camera.devices())
      changes = changes.then(follow)
    } catch (thrown) {
      log.error('The devices could not be listed', thrown)
    }
  }

  /** A chosen device that is there again takes the place of the one that stood in for it. */
  function follow(): void {
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
      // A refusal is a state of this store.
      if (what === 'permission' || mayPass.has(trouble.peek())) open().catch(() => {})
      return
    }
    for (const kind of mediaKinds) if (isLost(kind)) void reopen(kind)
    if (what !== 'shown') void list()
    else retakeLater()
  }

  function retakeLater(): void {
    stopRetaking()
    stopRetaking = clock.after(RETAKE_MS, () => {
      for (const kind of mediaKinds) if (interruptions.peek()[kind]?.what === 'paused') void reopen(kind)
    })
  }

  async function ask(): Promise<MediaStream> {
    try {
      await choices.recall()
      const opened = await camera.open(settings(), choice())
      if (!wanted) {
        camera.close(opened)
        throw new AppError('aborted')
      }
      show(opened)
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

  /** Nobody is to be matched without a picture or a voice: what was lost must come back now. */
  async function whole(): Promise<MediaStream> {
    for (const kind of mediaKinds) if (isLost(kind)) void reopen(kind)
    await changes
    const current = stream.peek()
    if (!current) throw new AppError('aborted')
    const lost = mediaKinds.map((kind) => interruptions.peek()[kind]).find((each) => each?.what === 'lost')
    if (lost) throw new AppError('camera-refused', 'A device is lost', { trouble: lost.trouble ?? 'absent' })
    return current
  }

  function open(): Promise<MediaStream> {
    wanted = true
    stopDevices ??= camera.onDevices(devicesChanged)
    if (stream.peek()) return whole()
    state.value = 'asking'
    opening ??= ask()
    return opening
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
    interruption: computed(() => interruptions.value.video ?? interruptions.value.audio ?? null),
    available: choices.available,
    /** Ids of the chosen devices that are there; empty leaves it to the browser. */
    chosen: choices.chosen,
    microphoneOn: microphoneOn as ReadonlySignal<boolean>,
    cameraOn: cameraOn as ReadonlySignal<boolean>,
    /** Loudness of the microphone from 0 to 1, while it is measured. */
    level: level as ReadonlySignal<number>,
    /** A phone has a camera on either side. */
    canFlip: computed(() => choices.available.value.filter(({ kind }) => kind === 'camera').length > 1),
    /** What the network and the machine are good for now. */
    tier,

    /** Opens camera and microphone, once however many ask. Rejects with `camera-refused`, or `aborted` when it is closed first. */
    open,

    close(): void {
      wanted = false
      cameraFrames.stopFrames()
      stopWatching()
      stopWatching = () => {}
      stopDevices?.()
      stopDevices = null
      stopRetaking()
      const current = stream.peek()
      if (current) camera.close(current)
      stream.value = null
      state.value = 'unknown'
      trouble.value = null
      interruptions.value = {}
      microphoneOn.value = true
      cameraOn.value = true
      facing = 'user'
    },

    toggleMicrophone: () => toggle('audio', microphoneOn),
    toggleCamera: () => toggle('video', cameraOn),

    /** Changes to the camera on the other side of a phone. */
    flip(): void {
      const before = facing
      const after = before === 'user' ? 'environment' : 'user'
      facing = after
      choices.leaveOpen('camera')
      void change('video', () => {
        if (facing === after) facing = before
      })
    },

    /** Changes to this device, now and at the next visit. */
    choose(kind: MediaDevice['kind'], id: string): void {
      const undo = choices.choose(kind, id)
      if (kind !== 'speaker') void change(kindOf[kind], undo)
    },

    /** Measures the loudness of the microphone, whichever it is, until the answer is called. */
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
