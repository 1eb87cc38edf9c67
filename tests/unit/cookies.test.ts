import fc from 'fast-check'
import { expect, test } from 'vitest'
import { formatProfileCookie, formatSessionCookie, parseProfileCookie, parseSessionCookie } from '#protocol/cookies.ts'

test('a session cookie parses to what was formatted', () => {
  fc.assert(
    fc.property(
      fc.stringMatching(/^[\w-]{1,64}$/),
      fc.constantFrom('new' as const, 'existing' as const),
      (id, type) => {
        expect(parseSessionCookie(formatSessionCookie({ id, type }))).toEqual({ id, type })
      },
    ),
  )
})

test('an address with a # or a % survives the profile cookie', () => {
  const profile = { email: 'a#b%c+d@example.org', nickName: 'Zoë Öz' }
  expect(parseProfileCookie(formatProfileCookie(profile))).toEqual(profile)
})

test.each([
  'Empty',
  '',
  'a@example.org#Ada',
  'a@example.org#Ada#false',
  'a@example.org#Ada#true#x',
  'no-address#Ada#true',
])('the profile cookie %j stands for no profile', (text) => {
  expect(parseProfileCookie(text)).toBeNull()
})
