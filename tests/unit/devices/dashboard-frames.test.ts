import { signal } from '@preact/signals-react'
import { describe, expect, test } from 'vitest'
import { FRAME_INTERVAL_MS } from '#protocol/constants.ts'
import { AppError } from '#protocol/errors.ts'
import type { OnlineCounts } from '#protocol/online-counts.ts'
import type { SendFrame } from '../../../src/devices/ports.ts'
import { createDeviceStore } from '../../../src/devices/state/devices.ts'
import { fakeClock } from '../../support/fake-clock.ts'
import { fakeCamera } from '../../support/fakes/fake-camera.ts'
import { silentLog } from '../../support/silent-log.ts'
import { waitFor } from '../../support/wait-for.ts'

const owner = { email: 'ada@example.org', userSessionId: 's1' }

/** A dashboard whose captures end when the test lets them. */
async function onDashboard(isChanged = false) {
  const clock = fakeClock()
  const log = silentLog()
  const captures: PromiseWithResolvers<OnlineCounts | null>[] = []
  const kept = Promise.withResolvers<SendFrame>()
  const told: string[] = []
  const devices = createDeviceStore({
    camera: fakeCamera().camera,
    frames: {
      capture() {
        const capture = Promise.withResolvers<OnlineCounts | null>()
        captures.push(capture)
        return capture.promise
      },
      areChanged: async () => isChanged,
      keep: () => kept.promise,
    },
    storage: { get: async () => undefined, set: async () => {} },
    picture: { choice: signal('best' as const), restore: async () => {} },
    clock,
    log,
    moved: () => {},
    changed: () => void told.push('changed'),
  })
  await devices.open()
  async function end(failure?: AppError, online: OnlineCounts | null = null): Promise<void> {
    const capture = captures.at(-1)
    if (failure) capture?.reject(failure)
    else capture?.resolve(online)
    // The store has heard of it a few microtasks later.
    await new Promise((resolve) => setImmediate(resolve))
  }
  return { clock, log, captures, kept, devices, end, told }
}

test('a frame is sent every 10 s, until the user leaves the dashboard', async () => {
  const { clock, captures, devices, end } = await onDashboard()
  const stop = devices.startFrames(owner, () => {})
  for (const sent of [1, 2, 3]) {
    clock.advance(FRAME_INTERVAL_MS - 1)
    expect(captures).toHaveLength(sent - 1)
    clock.advance(1)
    expect(captures).toHaveLength(sent)
    await end()
  }
  stop()
  clock.advance(10 * FRAME_INTERVAL_MS)
  expect(captures).toHaveLength(3)
  expect(clock.waiting()).toBe(0)
})

test.each([true, false])('that pictures are replaced by noise (%s) is told once in a visit', async (isChanged) => {
  const { devices, told } = await onDashboard(isChanged)
  for (let times = 0; times < 2; times += 1) devices.startFrames(owner, () => {})()
  await new Promise((resolve) => setImmediate(resolve))
  expect(told).toEqual(isChanged ? ['changed'] : [])
})

test('the numbers that a response tells are passed on, until the user leaves the dashboard', async () => {
  const { clock, devices, end } = await onDashboard()
  const told: OnlineCounts[] = []
  const stop = devices.startFrames(owner, (online) => told.push(online))
  for (const online of [{ onlineUsers: 5, talkingUsers: 2 }, null]) {
    clock.advance(FRAME_INTERVAL_MS)
    await end(undefined, online)
  }
  clock.advance(FRAME_INTERVAL_MS)
  stop()
  await end(undefined, { onlineUsers: 6 })
  expect(told).toEqual([{ onlineUsers: 5, talkingUsers: 2 }])
})

test('no frame is sent while another is being sent, not even after the dashboard was left and entered', async () => {
  const { clock, captures, devices, end } = await onDashboard()
  const stop = devices.startFrames(owner, () => {})
  clock.advance(3 * FRAME_INTERVAL_MS)
  expect(captures).toHaveLength(1)
  stop()
  devices.startFrames(owner, () => {})
  clock.advance(3 * FRAME_INTERVAL_MS)
  expect(captures).toHaveLength(1)
  await end()
  clock.advance(FRAME_INTERVAL_MS)
  expect(captures).toHaveLength(2)
})

test('a failure is logged, and the next frame is sent', async () => {
  const { clock, log, captures, devices, end } = await onDashboard()
  devices.startFrames(owner, () => {})
  clock.advance(FRAME_INTERVAL_MS)
  await end(new AppError('timeout'))
  expect(log.errors).toEqual(['The dashboard frame was not sent'])
  clock.advance(FRAME_INTERVAL_MS)
  expect(captures).toHaveLength(2)
})

test('without a camera an error is logged', async () => {
  const { clock, log, captures, devices } = await onDashboard()
  devices.close()
  devices.startFrames(owner, () => {})
  clock.advance(FRAME_INTERVAL_MS)
  await devices.captureEvidence(owner)
  expect(captures).toHaveLength(0)
  expect(log.errors).toEqual(Array(2).fill('Camera permission is missing to capture video frame'))
})

describe('the evidence of a report', () => {
  const peer = {} as MediaStream

  test('is the picture that was captured when the dialog opened', async () => {
    const { captures, kept, devices } = await onDashboard()
    const sent: unknown[] = []
    devices.keepEvidence(peer)
    const report = devices.sendEvidence(owner, null)
    kept.resolve(async (whose) => void sent.push(whose))
    await report
    expect(sent).toEqual([owner])
    expect(captures).toHaveLength(0)
  })

  test('is the current picture if none could be captured before', async () => {
    const { log, captures, kept, devices, end } = await onDashboard()
    devices.keepEvidence(peer)
    kept.reject(new AppError('encode-failed'))
    const report = devices.sendEvidence(owner, peer)
    await waitFor(() => expect(captures).toHaveLength(1))
    await end()
    await report
    expect(log.errors).toEqual(['The picture of the peer was not taken'])
  })

  test('that was discarded is not used for a later report', async () => {
    const { captures, kept, devices } = await onDashboard()
    devices.keepEvidence(peer)
    kept.resolve(() => expect.fail('a picture of another call was sent'))
    devices.forgetEvidence()
    void devices.sendEvidence(owner, peer)
    expect(captures).toHaveLength(1)
  })

  test('that cannot be sent is logged', async () => {
    const { log, kept, devices } = await onDashboard()
    devices.keepEvidence(peer)
    kept.resolve(() => Promise.reject(new AppError('timeout')))
    await devices.sendEvidence(owner, peer)
    expect(log.errors).toEqual(['The reported frame was not sent'])
  })
})
