import { signal } from '@preact/signals-react'
import { createDeviceStore } from '../../../src/devices/state/devices.ts'
import { fakeClock } from '../fake-clock.ts'
import { fakeCamera } from '../fakes/fake-camera.ts'
import { silentLog } from '../silent-log.ts'

/** A device store on a fake machine. `kept` is what the browser has stored. */
export function deviceVisit(kept = new Map<string, Blob | string>()) {
  const machine = fakeCamera()
  const clock = fakeClock()
  const log = silentLog()
  const told: string[] = []
  const storage = {
    get: async (key: string) => kept.get(key),
    set: async (key: string, value: Blob | string) => void kept.set(key, value),
  }
  const ports = {
    camera: machine.camera,
    frames: { capture: async () => null, areChanged: async () => false, keep: async () => async () => {} },
    storage,
    picture: { choice: signal('best' as const), restore: async () => {} },
    clock,
    log,
    moved: (labels: string) => void told.push(labels),
    changed: () => {},
  }
  const devices = createDeviceStore(ports)
  return {
    ...machine,
    machine,
    devices,
    kept,
    /** Where the user was told that the sound is. */
    told,
    clock,
    log,
    storage,
    using: () => ({
      camera: machine.device(devices.stream.value, 'video'),
      microphone: machine.device(devices.stream.value, 'audio'),
    }),
  }
}
