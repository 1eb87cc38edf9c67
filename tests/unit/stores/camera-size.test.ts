import { signal } from '@preact/signals-react'
import { beforeEach, expect, test, vi } from 'vitest'
import { createDeviceStore } from '../../../src/stores/devices.ts'
import { fakeClock } from '../../support/fake-clock.ts'
import { fakeCamera } from '../../support/fakes/fake-camera.ts'
import { silentLog } from '../../support/silent-log.ts'

function visit() {
  const machine = fakeCamera()
  const log = silentLog()
  const isSaver = signal(false)
  const restore = vi.fn(async () => {})
  const devices = createDeviceStore({
    camera: machine.camera,
    frames: { capture: async () => {}, keep: async () => async () => {} },
    storage: { get: async () => undefined, set: async () => {} },
    picture: { isSaver, restore },
    clock: fakeClock(),
    log,
  })
  return { ...machine, devices, log, isSaver, restore }
}

let here: ReturnType<typeof visit>
beforeEach(() => {
  here = visit()
})

const until = (check: () => void) => vi.waitFor(check, { interval: 1 })

test('with the data saver the camera is opened for a small picture', async () => {
  here.isSaver.value = true
  await here.devices.open()
  expect(here.widths).toEqual([640])
})

test('the stored choice is read before the camera is opened', async () => {
  here.restore.mockImplementationOnce(async () => {
    await new Promise((resolve) => setImmediate(resolve))
    here.isSaver.value = true
  })
  await here.devices.open()
  expect(here.widths).toEqual([640])
})

test('an open camera follows the choice, and so does one that is opened again', async () => {
  await here.devices.open()
  here.isSaver.value = true
  expect(here.widths).toEqual([1280, 640])
  here.devices.choose('camera', 'c2')
  await until(() => expect(here.device(here.devices.stream.value, 'video')).toBe('c2'))
  here.isSaver.value = false
  expect(here.widths).toEqual([1280, 640, 640, 1280])
})

test('a camera that refuses another size goes on as it is', async () => {
  const stream = await here.devices.open()
  here.fix()
  here.isSaver.value = true
  await until(() => expect(here.log.errors).toEqual(['The camera kept its picture size']))
  expect(here.devices.stream.value).toBe(stream)
  expect(here.live(stream)).toEqual([true, true])
})

test('a change while the camera is closed asks for nothing', () => {
  here.isSaver.value = true
  here.isSaver.value = false
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
  here.isSaver.value = true
  await here.devices.open()
  here.devices.fit(10_000)
  expect(here.widths).toEqual([640])
  here.isSaver.value = false
  here.devices.fit(10_000)
  expect(here.widths).toEqual([640, 640, 1280])
})
