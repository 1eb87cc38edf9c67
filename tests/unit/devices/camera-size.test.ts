import { signal } from '@preact/signals-react'
import { beforeEach, expect, test, vi } from 'vitest'
import { createDeviceStore } from '../../../src/devices/state/devices.ts'
import type { PictureChoice } from '../../../src/platform/rules/picture-choice.ts'
import { fakeClock } from '../../support/fake-clock.ts'
import { fakeCamera } from '../../support/fakes/fake-camera.ts'
import { silentLog } from '../../support/silent-log.ts'
import { waitFor } from '../../support/wait-for.ts'

function visit() {
  const machine = fakeCamera()
  const log = silentLog()
  const choice = signal<PictureChoice>('best')
  const restore = vi.fn(async () => {})
  const devices = createDeviceStore({
    camera: machine.camera,
    frames: { capture: async () => null, areChanged: async () => false, keep: async () => async () => {} },
    storage: { get: async () => undefined, set: async () => {} },
    picture: { choice, restore },
    clock: fakeClock(),
    log,
    moved: () => {},
    changed: () => {},
  })
  return { ...machine, devices, log, choice, restore }
}

let here: ReturnType<typeof visit>
beforeEach(() => {
  here = visit()
})

const until = waitFor

test('with the data saver the camera is opened for a small picture', async () => {
  here.choice.value = 'saver'
  await here.devices.open()
  expect(here.widths).toEqual([640])
})

test('the stored choice is read before the camera is opened', async () => {
  here.restore.mockImplementationOnce(async () => {
    await new Promise((resolve) => setImmediate(resolve))
    here.choice.value = 'saver'
  })
  await here.devices.open()
  expect(here.widths).toEqual([640])
})

test('an open camera follows the choice, and so does one that is opened again', async () => {
  await here.devices.open()
  here.choice.value = 'saver'
  expect(here.widths).toEqual([1280, 640])
  here.devices.choose('camera', 'c2')
  await until(() => expect(here.device(here.devices.stream.value, 'video')).toBe('c2'))
  here.choice.value = 'best'
  expect(here.widths).toEqual([1280, 640, 640, 1280])
})

test('a camera that refuses another size goes on as it is', async () => {
  const stream = await here.devices.open()
  here.fix()
  here.choice.value = 'saver'
  await until(() => expect(here.log.errors).toEqual(['The camera kept its picture size']))
  expect(here.devices.stream.value).toBe(stream)
  expect(here.live(stream)).toEqual([true, true])
})

test('a change while the camera is closed asks for nothing', () => {
  here.choice.value = 'saver'
  here.choice.value = 'best'
  expect(here.widths).toEqual([])
})

test('a call that measures more than the camera was chosen for raises it once, and keeps that when it is opened again', async () => {
  here.camera.downlink = () => 1
  await here.devices.open()
  expect(here.widths).toEqual([640])
  here.devices.fit(null)
  here.devices.fit(100)
  expect(here.widths).toEqual([640])
  here.devices.fit(10_000)
  here.devices.fit(10_000)
  here.devices.fit(100)
  expect(here.widths).toEqual([640, 1280])
  here.devices.close()
  await here.devices.open()
  expect(here.widths).toEqual([640, 1280, 1280])
})

test('a camera that has its best picture is not asked for more', async () => {
  await here.devices.open()
  here.devices.fit(10_000)
  expect(here.widths).toEqual([1280])
})

test('with the data saver a call does not raise the camera, and afterwards it does', async () => {
  here.camera.downlink = () => 1
  here.choice.value = 'saver'
  await here.devices.open()
  here.devices.fit(10_000)
  expect(here.widths).toEqual([640])
  here.choice.value = 'balanced'
  expect(here.widths).toEqual([640, 854])
  here.choice.value = 'best'
  expect(here.widths).toEqual([640, 854, 1280])
})

test('a balanced picture is raised to the middle at most', async () => {
  here.camera.downlink = () => 1
  here.choice.value = 'balanced'
  await here.devices.open()
  here.devices.fit(10_000)
  here.devices.fit(10_000)
  expect(here.widths).toEqual([640, 854])
})
