import { beforeEach, describe, expect, test } from 'vitest'
import { deviceVisit } from '../../support/stores/device-visit.ts'
import { waitFor } from '../../support/wait-for.ts'

/** A browser that does not remember the permission asks the user whenever a device is opened. */

let here: ReturnType<typeof deviceVisit>
beforeEach(async () => {
  here = deviceVisit()
  await here.devices.open()
  await waitFor(() => expect(here.devices.available.value).toHaveLength(6))
})

/** How often the user was asked since the first question. */
const questions = () => here.asked.length - 1
const interrupted = () => here.devices.interruption.value

async function settled(): Promise<void> {
  for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve))
}

describe.each(['denied', 'dismissed'] as const)('a device that the user refuses (%s)', (trouble) => {
  beforeEach(async () => {
    here.refuse(trouble)
    here.devices.choose('camera', 'c2')
    await settled()
  })

  test('at a change of it is asked for once, and the other device goes on', () => {
    expect(questions()).toBe(1)
    expect(interrupted()).toEqual({ kind: 'video', what: 'lost', trouble })
    expect(here.tracks.filter(({ live }) => live).map(({ kind }) => kind)).toEqual(['audio'])
    expect(here.devices.chosen.value.camera).toBe('')
  })

  test.each(['shown', 'devices'] as const)('is not asked for again after a change of %s', async (change) => {
    here.tellDevices(change)
    await settled()
    here.clock.advance(2_000)
    await settled()
    expect(questions()).toBe(1)
  })

  test('is asked for when it is switched off and on', async () => {
    here.refuse(null)
    here.devices.toggleCamera()
    await settled()
    expect(questions()).toBe(1)
    here.devices.toggleCamera()
    await settled()
    expect([questions(), interrupted()]).toEqual([2, null])
    expect(here.isOn(here.devices.stream.value)).toEqual({ audio: true, video: true })
  })

  test('is asked for once by the next search', async () => {
    await expect(here.devices.open()).rejects.toMatchObject({ code: 'camera-refused', details: { trouble } })
    expect(questions()).toBe(2)
    here.refuse(null)
    await here.devices.open()
    expect([questions(), interrupted()]).toEqual([3, null])
  })
})

test('a device that is back by its turn is not asked for a second time', async () => {
  here.gate.hold()
  here.happens('video', 'ended')
  await here.gate.reached(1)
  here.tellDevices('permission')
  here.tellDevices('shown')
  here.gate.release()
  await settled()
  expect([questions(), interrupted()]).toEqual([1, null])
})

test('a question that is refused is not asked again because the page was shown meanwhile', async () => {
  here.refuse('dismissed')
  here.gate.hold()
  here.happens('video', 'ended')
  await here.gate.reached(1)
  here.tellDevices('shown')
  here.gate.release()
  await settled()
  expect(questions()).toBe(1)
})

describe('camera and microphone that the system paused together', () => {
  beforeEach(() => {
    here.happens('video', 'paused')
    here.happens('audio', 'paused')
    here.tellDevices('shown')
  })

  test('are asked for in one question when the page is visible', async () => {
    here.clock.advance(2_000)
    await settled()
    expect([questions(), interrupted()]).toEqual([1, null])
    expect(here.live(here.devices.stream.value)).toEqual([true, true])
  })

  test('open one without the other', async () => {
    here.busy.add('c1')
    here.clock.advance(2_000)
    await settled()
    expect(interrupted()).toEqual({ kind: 'video', what: 'lost', trouble: 'busy' })
    expect(here.tracks.filter(({ live }) => live).map(({ kind }) => kind)).toEqual(['audio'])
  })
})
