import { computed, effect, type ReadonlySignal, signal } from '@preact/signals-react'
import type { Clock } from '../../platform/clock.ts'
import type { Log } from '../../platform/log.ts'
import type { Storage } from '../../platform/ports.ts'
import { STORED_MS, within } from '../../platform/rules/within.ts'
import type { PictureChoiceStore } from '../../platform/state/picture-choice.ts'
import type { Camera, FrameCapture, MediaDevice, MediaKind } from '../ports.ts'
import { cappedTier, mediaSettings, raisedTier, type Tier, tierFor } from '../rules/quality-tier.ts'
import { createCameraFrames } from './camera-frames.ts'
import { createDeviceChanges, kindOf } from './device-changes.ts'
import { createDeviceChoices } from './device-choices.ts'
import { createDeviceOpening, createDeviceReopening } from './device-opening.ts'
import { createInterruptions, createLocalStream, type LocalStream } from './local-stream.ts'

export type DeviceStore = ReturnType<typeof createDeviceStore>

type Ports = {
  camera: Camera<MediaStream>
  frames: FrameCapture<MediaStream>
  storage: Pick<Storage<Blob>, 'get' | 'set'>
  picture: Pick<PictureChoiceStore, 'choice' | 'restore'>
  clock: Clock
  log: Log
  /** Tells the user which microphone or speaker is used now. */
  moved: (labels: string) => void
  /** Tells the user that the browser replaces the camera's pictures by noise. */
  changed: () => void
}

/** Opens, switches off and changes camera, microphone and speaker, and reopens them when they were lost. */
export function createDeviceStore(ports: Ports) {
  const { camera, picture, clock, log, moved } = ports
  const interruptions = createInterruptions()
  const local = createLocalStream(camera, (kind, what) => changes.interrupted(kind, what))
  const choices = createDeviceChoices(ports.storage, log)
  const { stopFrames, ...frames } = createCameraFrames(ports, local.current)
  const meter = createLevelMeter(camera, local.current)
  const { settings, fit } = createPictureSize(ports, local)
  const reopening = createDeviceReopening({ camera, log, local, interruptions, settings, choice: choices.wanted })
  const changes = createDeviceChanges({ camera, clock, log, local, interruptions, choices, reopening, moved })
  const opening = createDeviceOpening({
    camera,
    local,
    async request() {
      // Without the stored choices any device is opened.
      await within(clock, STORED_MS, Promise.all([choices.recall(), picture.restore()]), null)
      return camera.open(settings(), choices.wanted())
    },
    complete: reopening.complete,
    opened() {
      void changes.list()
      if (!local.cameraOn.peek()) reopening.switched()
    },
    changed: changes.changed,
  })

  function close(): void {
    stopFrames()
    local.close()
    changes.stop()
    opening.close()
    interruptions.clear()
    choices.faceUser()
  }

  /** Switches a device off or on. If it was refused, switching it on asks the user again. */
  function toggle(kind: MediaKind): void {
    local.toggle(kind)
    if (kind === 'video') reopening.switched()
    else if (local.microphoneOn.peek() && interruptions.isLost(kind)) void reopening.reopen(kind)
  }

  function choose(kind: MediaDevice['kind'], id: string): void {
    const undo = choices.choose(kind, id)
    if (kind !== 'speaker') void reopening.change(kindOf[kind], undo)
  }

  return {
    state: opening.state,
    /** A new object whenever one of its tracks is replaced. */
    stream: local.current,
    mayOpen: opening.mayOpen,
    /** Why camera and microphone were refused; null if they were not. */
    trouble: opening.trouble,
    interruption: interruptions.first,
    available: choices.available,
    /** Ids of the chosen devices that are connected; an empty id leaves the choice to the browser. */
    chosen: choices.chosen,
    microphoneOn: local.microphoneOn,
    cameraOn: local.cameraOn,
    /** False while the camera is off, paused, lost, or being opened again after it was off. */
    hasCameraPicture: computed(
      () =>
        local.current.value !== null &&
        local.cameraOn.value &&
        !local.isBlack.value &&
        interruptions.first.value?.kind !== 'video',
    ),
    /** Loudness of the microphone from 0 to 1, while it is measured. */
    level: meter.level,
    /** Whether there is more than one camera, as on phones. */
    canFlip: computed(() => choices.available.value.filter(({ kind }) => kind === 'camera').length > 1),
    fit,
    /**
     * Opens camera and microphone; several callers share one attempt. Rejects with `camera-refused`, or with `aborted`
     * if they are closed first.
     */
    open: opening.open,
    /** As `open`, but also rejects with `camera-refused` if the camera gives no picture: nobody is matched with a black picture. */
    async openForMatch(): Promise<void> {
      await camera.shows(await opening.open())
    },
    close,
    toggleMicrophone: () => toggle('audio'),
    toggleCamera: () => toggle('video'),
    /** Changes to the phone's other camera. */
    flip: () => void reopening.change('video', choices.flip()),
    /** Changes to this device, and stores the choice for the next visit. */
    choose,
    measureLevel: meter.measure,
    ...frames,
  }
}

/** Size and frame rate of the camera's picture: by the user's choice, and by what the device and the network carry. */
function createPictureSize({ camera, picture, log }: Ports, local: LocalStream) {
  /** The tier that a call of this visit has measured; null without a measurement. */
  let measured: Tier | null = null
  const tier = (): Tier => measured ?? tierFor(camera.downlink(), camera.weakCpu())
  const settings = () => mediaSettings(cappedTier(tier(), picture.choice.peek()), camera.portrait())

  function resize(): void {
    const stream = local.current.peek()
    if (!stream || !local.cameraOn.peek()) return
    camera.resize(stream, settings()).catch((thrown: unknown) => log.error('The camera kept its picture size', thrown))
  }
  picture.choice.subscribe(resize)

  return {
    settings,
    /** Raises the camera's resolution if a call measured more bandwidth (in kbit/s) than the current tier needs. */
    fit(availableKbps: number | null): void {
      const raised = raisedTier(tier(), availableKbps)
      if (raised === null) return
      const choice = picture.choice.peek()
      const isMore = cappedTier(raised, choice) !== cappedTier(tier(), choice)
      measured = raised
      if (isMore) resize()
    },
  }
}

function createLevelMeter(camera: Camera<MediaStream>, stream: ReadonlySignal<MediaStream | null>) {
  const level = signal(0)
  return {
    level: level as ReadonlySignal<number>,
    /** Measures the loudness of the microphone, also after the microphone changes. Returns a function that stops it. */
    measure(): () => void {
      return effect(() => {
        level.value = 0
        const current = stream.value
        if (!current) return undefined
        return camera.measure(current, (loudness) => {
          level.value = loudness
        })
      })
    },
  }
}
