import { pino } from 'pino'
import { expect, onTestFinished, test } from 'vitest'
import { createReencodePicture } from '../../../server/accounts/profile-pictures.ts'
import { createFrameIntake } from '../../../server/frames/frame-intake.ts'
import { DecoderPool } from '../../../server/platform/pictures/decoder-pool.ts'
import type { Clock } from '../../../server/platform/rules/clock.ts'
import { fakeClock } from '../../support/fake-clock.ts'
import { movableClock } from '../../support/movable-clock.ts'
import { type DecoderFault, decoderFaults, faultyDecoder } from '../../support/pictures/decoder-faults.ts'
import { jpegOf } from '../../support/pictures/jpegs.ts'

const frame = await jpegOf({ width: 64, height: 48 })
const faulty = (fault: DecoderFault) => jpegOf({ width: decoderFaults[fault], height: 48 })
const unreadable = { code: 'bad-request', message: 'This JPEG cannot be read' }

function poolForTest(clock: Clock, program = faultyDecoder) {
  const pool = new DecoderPool({ clock, log: pino({ level: 'silent' }), program })
  onTestFinished(pool.stop)
  const { viewFrame } = createFrameIntake(pool)
  const reencode = createReencodePicture(pool)
  return {
    ...pool,
    send: (accountId: string, bytes: Uint8Array) => viewFrame(bytes, 8, { accountId }),
    sendPicture: (accountId: string, bytes: Uint8Array) => reencode(bytes, accountId),
    /** As the server decodes a flagged frame again. */
    again: (accountId: string, bytes: Uint8Array) => viewFrame(bytes, 8, { accountId, isInternal: true }),
  }
}

test.each(['spins', 'eatsMemory'] as const)('a process that %s is killed, and others go on', async (fault) => {
  const clock = movableClock()
  const { send, again, counts } = poolForTest(clock)
  await expect(send('eve', await faulty(fault))).rejects.toMatchObject(unreadable)
  expect(counts).toEqual({ decoded: 0, unreadable: 0, killed: 1, refused: 0 })
  expect(await send('ada', frame)).toMatchObject({ width: 64 })
  // The account rests for a minute; what the server itself decodes of it does not.
  const resting = { code: 'too-many-requests', details: { retryAfter: 60 } }
  await expect(send('eve', frame)).rejects.toMatchObject(resting)
  expect(await again('eve', frame)).toMatchObject({ width: 64 })
  clock.forward(60_000)
  expect(await send('eve', frame)).toMatchObject({ width: 64 })
})

test('a process without a response is killed after its time limit, and the waiting pictures of its account are refused', async () => {
  const clock = fakeClock(1_000_000)
  const { send } = poolForTest(clock)
  expect(await send('ada', frame)).toMatchObject({ width: 64 })
  const endless = send('eve', await faulty('neverAnswers'))
  const next = send('eve', frame)
  expect(await send('ada', frame)).toMatchObject({ width: 64 })
  clock.advance(8_000)
  await expect(endless).rejects.toMatchObject(unreadable)
  await expect(next).rejects.toMatchObject({ code: 'too-many-requests' })
  expect(await send('ada', frame)).toMatchObject({ width: 64 })
})

test.each(['diesAtOnce', 'answersNonsense'] as const)(
  'a frame with which the process %s is tried twice',
  async (fault) => {
    const { send, counts } = poolForTest(movableClock())
    const bad = expect(send('eve', await faulty(fault))).rejects.toMatchObject(unreadable)
    expect(await send('ada', frame)).toMatchObject({ width: 64 })
    await bad
    expect(counts).toMatchObject({ decoded: 1, killed: 1 })
  },
)

test('a process that dies between two frames fails neither', async () => {
  const { send, counts } = poolForTest(movableClock())
  for (const accountId of ['ada', 'bob', 'eve']) {
    expect(await send(accountId, await faulty('diesAfterwards'))).toMatchObject({ height: 48 })
    expect(await send(accountId, frame)).toMatchObject({ width: 64 })
  }
  expect(counts).toEqual({ decoded: 6, unreadable: 0, killed: 0, refused: 0 })
})

test('of one account one picture is read at a time, three wait, more are refused, and others overtake them', async () => {
  const { send, counts } = poolForTest(fakeClock())
  const endless = await faulty('neverAnswers')
  const held = Array.from({ length: 4 }, () => send('eve', endless).catch((error: unknown) => error))
  await expect(send('eve', frame)).rejects.toMatchObject({ code: 'too-many-requests', details: { retryAfter: 1 } })
  for (let round = 0; round < 3; round += 1) expect(await send('ada', frame)).toMatchObject({ width: 64 })
  expect(counts).toEqual({ decoded: 3, unreadable: 0, killed: 0, refused: 1 })
  expect(held).toHaveLength(4)
})

test('profile pictures of several accounts leave a process to frames', async () => {
  const { send, sendPicture } = poolForTest(fakeClock())
  const endless = await faulty('neverAnswers')
  for (const accountId of ['eve', 'mallory', 'trudy']) void sendPicture(accountId, endless).catch(() => undefined)
  expect(await send('ada', frame)).toMatchObject({ width: 64 })
})

test('more than may wait are refused with 503', async () => {
  const { send, counts } = poolForTest(fakeClock())
  const endless = await faulty('neverAnswers')
  for (let one = 0; one < 66; one += 1) void send(`person ${one}`, endless).catch(() => undefined)
  await expect(send('ada', frame)).rejects.toMatchObject({ code: 'unavailable' })
  expect(counts.refused).toBe(1)
})

test('waiting profile pictures keep no frame out, and those of many accounts make room for a newcomer', async () => {
  const { send, sendPicture, counts } = poolForTest(fakeClock())
  const endless = await faulty('neverAnswers')
  const refused: string[] = []
  void sendPicture('first', endless).catch(() => undefined)
  for (let one = 0; one < 32; one += 1)
    for (let own = 0; own < 2; own += 1)
      void sendPicture(`person ${one}`, endless).catch(() => refused.push(`person ${one}`))
  expect(await send('ada', frame)).toMatchObject({ width: 64 })
  void sendPicture('ada', endless).catch(() => refused.push('ada'))
  await expect(sendPicture('ada', endless)).rejects.toMatchObject({ code: 'unavailable' })
  await expect.poll(() => refused).toEqual(['person 0'])
  expect(counts.refused).toBe(2)
})

test('the first picture of every account comes before a second one', async () => {
  const { send } = poolForTest(fakeClock(1_000_000))
  // Keeps one of the two processes, so that the other does one job after the other.
  const held = send('mallory', await faulty('neverAnswers'))
  held.catch(() => undefined)
  const order: string[] = []
  const sent = ['eve', 'eve', 'eve', 'eve', 'bob', 'ada'].map((name) => send(name, frame).then(() => order.push(name)))
  await Promise.all(sent)
  expect(order).toEqual(['eve', 'bob', 'ada', 'eve', 'eve', 'eve'])
})

test('a program that does not start is started again after a pause', async () => {
  const clock = movableClock()
  const missing = new URL('no-such-program.ts', import.meta.url)
  const { send, counts } = poolForTest(clock, missing)
  await expect(send('ada', frame)).rejects.toMatchObject({ code: 'unavailable' })
  await expect(send('ada', frame)).rejects.toMatchObject({ code: 'unavailable' })
  clock.forward(1_000)
  await expect(send('ada', frame)).rejects.toMatchObject({ code: 'unavailable' })
  expect(counts).toEqual({ decoded: 0, unreadable: 0, killed: 0, refused: 3 })
})

test('stop ends the processes and refuses waiting and later pictures', async () => {
  const { send, stop } = poolForTest(movableClock())
  const endless = await faulty('neverAnswers')
  const held = [send('eve', endless), send('eve', endless)].map((one) => one.catch((error: unknown) => error))
  await stop()
  expect(await Promise.all(held)).toMatchObject([{ code: 'unavailable' }, { code: 'unavailable' }])
  await expect(send('ada', frame)).rejects.toMatchObject({ code: 'unavailable' })
})
