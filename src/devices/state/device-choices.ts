import { computed, type ReadonlySignal, signal } from '@preact/signals-react'
import { isObjectOf, isText } from '#protocol/checks.ts'
import type { Log } from '../../platform/log.ts'
import type { Storage } from '../../platform/ports.ts'
import { deviceKeys } from '../../platform/rules/browser-keys.ts'
import type { MediaChoice, MediaDevice } from '../ports.ts'

type Kind = MediaDevice['kind']

/** A device that the user chose: its id, and its label because some browsers change ids with every visit. */
type ChosenDevice = { id: string; label: string }

const kinds: readonly Kind[] = ['camera', 'microphone', 'speaker']
const anyDevice: ChosenDevice = { id: '', label: '' }
const isStored = isObjectOf({ id: isText, label: isText })

/** Returns the stored device; `anyDevice` if the value is not valid. */
function readStored(value: unknown): ChosenDevice {
  try {
    const choice: unknown = JSON.parse(String(value))
    return isStored(choice) ? choice : anyDevice
  } catch {
    return anyDevice
  }
}

/** Returns the current id of the chosen device; empty if it is not connected. */
function findDevice(chosen: ChosenDevice, kind: Kind, devices: readonly MediaDevice[]): string {
  const alike = devices.filter((device) => device.kind === kind)
  const byId = alike.find(({ id }) => id === chosen.id)
  const byName = alike.find(({ label }) => label !== '' && label === chosen.label)
  return (byId ?? byName)?.id ?? ''
}

export type DeviceChoices = ReturnType<typeof createDeviceChoices>

/** The available devices, and the user's choices among them. */
export function createDeviceChoices(storage: Pick<Storage<Blob>, 'get' | 'set'>, log: Log) {
  const available = signal<readonly MediaDevice[]>([])
  const choices = signal<Record<Kind, ChosenDevice>>({ camera: anyDevice, microphone: anyDevice, speaker: anyDevice })
  const chosen = computed(() => ({
    camera: found('camera'),
    microphone: found('microphone'),
    speaker: found('speaker'),
  }))

  let facing: MediaChoice['facing'] = 'user'

  const found = (kind: Kind) => findDevice(choices.value[kind], kind, available.value)
  const stored = async (kind: Kind) => readStored(await storage.get(deviceKeys[kind]))

  function setChoice(kind: Kind, wanted: ChosenDevice): void {
    choices.value = { ...choices.peek(), [kind]: wanted }
  }

  function storeChoice(kind: Kind, wanted: ChosenDevice): void {
    setChoice(kind, wanted)
    storage.set(deviceKeys[kind], JSON.stringify(wanted)).catch((thrown: unknown) => {
      log.error(`The chosen ${kind} was not kept`, thrown)
    })
  }

  return {
    available: available as ReadonlySignal<readonly MediaDevice[]>,
    chosen: chosen as ReadonlySignal<Record<Kind, string>>,

    /** Reads the stored choices. */
    async recall(): Promise<void> {
      const [camera, microphone, speaker] = await Promise.all([
        stored('camera'),
        stored('microphone'),
        stored('speaker'),
      ])
      choices.value = { camera, microphone, speaker }
    },

    /** Takes the list of devices. Returns new system defaults of the kinds for which the user has chosen none. */
    listed(devices: readonly MediaDevice[]): MediaDevice[] {
      const before = available.peek()
      available.value = devices
      return kinds.flatMap((kind) => {
        const [was, is] = [before, devices].map((all) => all.find((device) => device.kind === kind))
        return was && is && was.id !== is.id && chosen.peek()[kind] === '' ? [is] : []
      })
    },

    /** Stores a choice. Returns a function that undoes it, unless another choice was made since. */
    choose(kind: Kind, id: string): () => void {
      const before = choices.peek()[kind]
      const label = available.peek().find((device) => device.kind === kind && device.id === id)?.label ?? ''
      const wanted = { id, label }
      storeChoice(kind, wanted)
      return () => {
        if (choices.peek()[kind] === wanted) storeChoice(kind, before)
      }
    },

    /** Makes the browser choose the other camera until the next visit. Returns a function that undoes it. */
    flip(): () => void {
      const before = facing
      const after = before === 'user' ? 'environment' : 'user'
      facing = after
      setChoice('camera', anyDevice)
      return () => {
        if (facing === after) facing = before
      }
    },

    /** Chooses the front camera again. */
    faceUser(): void {
      facing = 'user'
    },

    /** Returns the devices to open. Until the devices are listed these are the stored ids. */
    wanted(): MediaChoice {
      const idOf = (kind: 'camera' | 'microphone') => chosen.peek()[kind] || choices.peek()[kind].id
      return { camera: idOf('camera'), microphone: idOf('microphone'), facing }
    },
  }
}
