import fc from 'fast-check'
import { TOTP, URI } from 'otpauth'
import { expect, test } from 'vitest'
import { CONSOLE_IDLE_MS, CONSOLE_LOGIN_SESSION_MS } from '#protocol/console.ts'
import { createModeratorTools } from '../../../../server/console/moderator-tools.ts'
import { createKnownDevices, KNOWN_DEVICE_MS } from '../../../../server/console/rules/known-devices.ts'
import { createLoginLimits, unknownDeviceDelayMs } from '../../../../server/console/rules/login-limits.ts'
import { endOf, isLive } from '../../../../server/console/rules/moderator-logins.ts'
import { LocalCounts } from '../../../../server/platform/rules/counts.ts'
import { WorkQueue } from '../../../../server/platform/rules/work-queue.ts'

const tools = createModeratorTools('a secret of the server')
const at = Date.parse('2026-11-21T08:00:10Z')

function codeOf(uri: string, timestamp: number): string {
  const totp = URI.parse(uri)
  return totp instanceof TOTP ? totp.generate({ timestamp }) : ''
}

/** Hash of "abcde-fghij" at the first cost. */
const outdatedHash = 'c2FsdHNhbHRzYWx0c2FsdA.xwEEqS1H5p-bw-7HwMXwwZMTnwc_YaIUS45dd3v7iV0'

test('a login session lasts half an hour after the last request, and at most twelve hours', () => {
  fc.assert(
    fc.property(
      fc.nat({ max: CONSOLE_LOGIN_SESSION_MS }),
      fc.nat({ max: 2 * CONSOLE_LOGIN_SESSION_MS }),
      (seen, now) => {
        const session = { createdAt: 0, seenAt: seen }
        expect(isLive(session, now)).toBe(now < endOf(session) && now - seen < CONSOLE_IDLE_MS)
      },
    ),
  )
  expect(isLive({ createdAt: 0, seenAt: CONSOLE_LOGIN_SESSION_MS - 1 }, CONSOLE_LOGIN_SESSION_MS)).toBe(false)
  expect(isLive({ createdAt: 0, seenAt: 0 }, CONSOLE_IDLE_MS)).toBe(false)
  expect(isLive({ createdAt: 0, seenAt: 0 }, CONSOLE_IDLE_MS - 1)).toBe(true)
})

test('a code is valid in its own time step, and one step early or late', () => {
  const { sealed, uri } = tools.makeTotp('mia')
  const step = Math.floor(at / 30_000)
  for (const away of [-1, 0, 1]) expect(tools.stepOf(sealed, codeOf(uri, at + away * 30_000), at)).toBe(step + away)
  for (const away of [-3, -2, 2, 3]) expect(tools.stepOf(sealed, codeOf(uri, at + away * 30_000), at)).toBeNull()
  for (const code of ['', '12345', '1234567', 'abcdef']) expect(tools.stepOf(sealed, code, at)).toBeNull()
})

test('the otpauth address names account and issuer, and the sealed secret cannot be read without the key', () => {
  const { sealed, secret, uri } = tools.makeTotp('mia')
  expect(uri).toMatch(
    /^otpauth:\/\/totp\/Waggle:mia\?issuer=Waggle&secret=[A-Z2-7]{32}&algorithm=SHA1&digits=6&period=30$/,
  )
  expect(uri).toContain(secret)
  expect(sealed).not.toContain(secret)
  const other = createModeratorTools('another secret of the server')
  expect(other.stepOf(sealed, codeOf(uri, at), at)).toBeNull()
})

test('a password fits its own hash only, in any Unicode form, and never a missing account', async () => {
  const password = tools.makePassword()
  expect(password).toMatch(/^[a-z2-9]{5}(-[a-z2-9]{5}){4}$/)
  const hash = await tools.hashPassword(password)
  expect(hash).not.toBe(await tools.hashPassword(password))
  expect(await tools.checkPassword(password, hash)).toBe(true)
  expect(await tools.checkPassword(`${password} `, hash)).toBe(false)
  expect(await tools.checkPassword('', null)).toBe(false)
  const composed = await tools.hashPassword('Zoë')
  expect(await tools.checkPassword('Zoe\u0308', composed)).toBe(true)
})

test('a hash of the first cost still fits and is outdated; a new hash is not', async () => {
  expect(await tools.checkPassword('abcde-fghij', outdatedHash)).toBe(true)
  expect(await tools.checkPassword('abcde-fghik', outdatedHash)).toBe(false)
  expect(tools.isOutdated(outdatedHash)).toBe(true)
  const hash = await tools.hashPassword('abcde-fghij')
  expect(hash).toMatch(/^ln=16,r=8,p=2\./)
  expect(tools.isOutdated(hash)).toBe(false)
})

test('one piece of costly work runs at a time, and urgent work goes before all that waits', async () => {
  const queue = new WorkQueue()
  const done: string[] = []
  let running = 0
  const work = (name: string) => async () => {
    running += 1
    expect(running).toBe(1)
    await Promise.resolve()
    running -= 1
    done.push(name)
    if (name === 'b') throw new Error('failed')
  }
  const plan = [
    ['a', false],
    ['b', false],
    ['c', false],
    ['d', true],
    ['e', true],
  ] as const
  await Promise.allSettled(plan.map(([name, urgent]) => queue.run(urgent, work(name))))
  expect(done).toEqual(['a', 'd', 'e', 'b', 'c'])
})

test('attempts from unknown devices are delayed more and more, a few at a time; a known device is not delayed', async () => {
  let now = 0
  const waits: { ms: number; task: () => void }[] = []
  const clock = {
    now: () => now,
    after(ms: number, task: () => void) {
      waits.push({ ms, task })
      return () => undefined
    },
  }
  const limits = createLoginLimits({ counts: new LocalCounts(clock.now), clock })
  const work = async () => 'checked'
  const unknownDevice = (index: number) => limits.admit({ name: 'mia', network: `n${index}`, deviceId: null }, work)
  for (let index = 0; index < 10; index += 1) expect(await unknownDevice(index)).toBe('checked')
  const held = [10, 11, 12, 13].map(unknownDevice)
  await expect(unknownDevice(14)).rejects.toMatchObject({ code: 'too-many-requests' })
  await expect.poll(() => waits.map(({ ms }) => ms)).toEqual([100, 200, 300, 400])
  expect(await limits.admit({ name: 'mia', network: 'n0', deviceId: 'd' }, work)).toBe('checked')
  // Attempts for another name are not delayed.
  expect(await limits.admit({ name: 'leo', network: 'n0', deviceId: null }, work)).toBe('checked')
  for (const { task } of waits) task()
  expect(await Promise.all(held)).toEqual(Array(4).fill('checked'))
  expect([1, 10, 11, 60, 110, 5_000].map(unknownDeviceDelayMs)).toEqual([0, 0, 100, 5_000, 10_000, 10_000])
  now += 15 * 60_000
  expect(await unknownDevice(20)).toBe('checked')
})

test('a device is known to its own moderator, for 180 days after the last login, until the credentials change', () => {
  let now = at
  const devices = createKnownDevices({
    tools,
    clock: { now: () => now, after: () => () => undefined },
    newId: () => 'device-1',
  })
  const [mia, leo] = [
    { id: 'mia-id', totpSecret: 'sealed 1' },
    { id: 'leo-id', totpSecret: 'sealed 2' },
  ]
  const first = devices.cookieAfterLogin(undefined, mia, null)
  const both = devices.cookieAfterLogin(first, leo, null)
  for (const moderator of [mia, leo]) expect(devices.find(both, moderator)).toBe('device-1')
  expect(devices.find(first, leo)).toBeNull()
  expect(devices.find(first, { ...mia, totpSecret: 'sealed anew' })).toBeNull()
  for (const nothing of [undefined, '', '~~~~', first.slice(0, -2), first.replace('mia-id', 'leo-id')])
    expect(devices.findAny(nothing)).toBeNull()
  now += KNOWN_DEVICE_MS - 1
  expect(devices.findAny(first)).toBe('device-1')
  now += 1
  expect(devices.findAny(first)).toBeNull()
})
