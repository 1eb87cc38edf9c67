import { computed, type ReadonlySignal, signal } from '@preact/signals-react'
import * as v from 'valibot'
import { parse } from '#protocol/parse.ts'
import { type ChosenDevice, findDevice } from '../domain/device-choice.ts'
import type { Log, MediaChoice, MediaDevice, Storage } from '../domain/ports.ts'

type Kind = MediaDevice['kind']

/** Under these names the chosen devices are kept for the next visit. */
const keys = { camera: 'chosenCamera', microphone: 'chosenMicrophone', speaker: 'chosenSpeaker' } as const

const anyDevice: ChosenDevice = { id: '', label: '' }
const keptSchema = v.fallback(
  v.pipe(v.string(), v.parseJson(), v.object({ id: v.string(), label: v.string() })),
  anyDevice,
)

export type DeviceChoices = ReturnType<typeof createDeviceChoices>

/** Which devices there are, and which of them the user chose. */
export function createDeviceChoices(storage: Pick<Storage<Blob>, 'get' | 'set'>, log: Log) {
  const available = signal<readonly MediaDevice[]>([])
  const wishes = signal<Record<Kind, ChosenDevice>>({ camera: anyDevice, microphone: anyDevice, speaker: anyDevice })
  const chosen = computed(() => ({
    camera: found('camera'),
    microphone: found('microphone'),
    speaker: found('speaker'),
  }))

  let facing: MediaChoice['facing'] = 'user'

  const found = (kind: Kind) => findDevice(wishes.value[kind], kind, available.value)
  const kept = async (kind: Kind) => parse(keptSchema, await storage.get(keys[kind]))

  function wish(kind: Kind, wanted: ChosenDevice): void {
    wishes.value = { ...wishes.peek(), [kind]: wanted }
  }

  function keep(kind: Kind, wanted: ChosenDevice): void {
    wish(kind, wanted)
    storage.set(keys[kind], JSON.stringify(wanted)).catch((thrown: unknown) => {
      log.error(`The chosen ${kind} was not kept`, thrown)
    })
  }

  return {
    available: available as ReadonlySignal<readonly MediaDevice[]>,
    chosen: chosen as ReadonlySignal<Record<Kind, string>>,

    /** Reads what was chosen at an earlier visit. */
    async recall(): Promise<void> {
      const [camera, microphone, speaker] = await Promise.all([kept('camera'), kept('microphone'), kept('speaker')])
      wishes.value = { camera, microphone, speaker }
    },

    listed(devices: readonly MediaDevice[]): void {
      available.value = devices
    },

    /** Chooses this device, now and at the next visit. Returns a function that takes the choice back, unless another was made since. */
    choose(kind: Kind, id: string): () => void {
      const before = wishes.peek()[kind]
      const label = available.peek().find((device) => device.kind === kind && device.id === id)?.label ?? ''
      const wanted = { id, label }
      keep(kind, wanted)
      return () => {
        if (wishes.peek()[kind] === wanted) keep(kind, before)
      }
    },

    /** Wants the camera on the other side, and leaves the rest to the browser until the next visit. Returns a function that undoes it. */
    flip(): () => void {
      const before = facing
      const after = before === 'user' ? 'environment' : 'user'
      facing = after
      wish('camera', anyDevice)
      return () => {
        if (facing === after) facing = before
      }
    },

    /** Wants the front camera again. */
    faceUser(): void {
      facing = 'user'
    },

    /** What to open. Ids are those of the last visit as long as the devices are not listed. */
    wanted(): MediaChoice {
      const idOf = (kind: 'camera' | 'microphone') => chosen.peek()[kind] || wishes.peek()[kind].id
      return { camera: idOf('camera'), microphone: idOf('microphone'), facing }
    },
  }
}
