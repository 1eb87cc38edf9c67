import fc from 'fast-check'
import { TOTP, URI } from 'otpauth'
import { expect, test } from 'vitest'
import { CONSOLE_IDLE_MS, CONSOLE_SESSION_MS } from '#protocol/console.ts'
import { endOf, isLive } from '../../../server/domain/console-session.ts'
import { createModeratorTools } from '../../../server/moderator-tools.ts'

const tools = createModeratorTools('a secret of the server')
const at = Date.parse('2026-11-21T08:00:10Z')

function codeOf(uri: string, timestamp: number): string {
  const totp = URI.parse(uri)
  return totp instanceof TOTP ? totp.generate({ timestamp }) : ''
}

test('a login lives half an hour after the last word, and never longer than twelve hours', () => {
  fc.assert(
    fc.property(fc.nat({ max: CONSOLE_SESSION_MS }), fc.nat({ max: 2 * CONSOLE_SESSION_MS }), (seen, now) => {
      const session = { createdAt: 0, seenAt: seen }
      expect(isLive(session, now)).toBe(now < endOf(session) && now - seen < CONSOLE_IDLE_MS)
    }),
  )
  expect(isLive({ createdAt: 0, seenAt: CONSOLE_SESSION_MS - 1 }, CONSOLE_SESSION_MS)).toBe(false)
  expect(isLive({ createdAt: 0, seenAt: 0 }, CONSOLE_IDLE_MS)).toBe(false)
  expect(isLive({ createdAt: 0, seenAt: 0 }, CONSOLE_IDLE_MS - 1)).toBe(true)
})

test('a code belongs to its own time step, also one step early or late, and to no other', () => {
  const { sealed, uri } = tools.makeTotp('mia')
  const step = Math.floor(at / 30_000)
  for (const away of [-1, 0, 1]) expect(tools.stepOf(sealed, codeOf(uri, at + away * 30_000), at)).toBe(step + away)
  for (const away of [-3, -2, 2, 3]) expect(tools.stepOf(sealed, codeOf(uri, at + away * 30_000), at)).toBeNull()
  for (const code of ['', '12345', '1234567', 'abcdef']) expect(tools.stepOf(sealed, code, at)).toBeNull()
})

test('an authenticator gets a name it can show, and the records keep nothing it can be made of', () => {
  const { sealed, secret, uri } = tools.makeTotp('mia')
  expect(uri).toMatch(
    /^otpauth:\/\/totp\/Waggle:mia\?issuer=Waggle&secret=[A-Z2-7]{32}&algorithm=SHA1&digits=6&period=30$/,
  )
  expect(uri).toContain(secret)
  expect(sealed).not.toContain(secret)
  const other = createModeratorTools('another secret of the server')
  expect(other.stepOf(sealed, codeOf(uri, at), at)).toBeNull()
})

test('a password fits its own hash alone, however it was typed, and none where there is no account', async () => {
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
