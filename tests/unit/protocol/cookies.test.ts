import fc from 'fast-check'
import { expect, test } from 'vitest'
import { formatProfileCookie, formatSessionCookie, parseProfileCookie, parseSessionCookie } from '#protocol/cookies.ts'

// Rules: docs/product.md API-5.

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
  'NA#Ada#true',
  '#Ada#true',
  'a@example.org##true',
  'a@example.org#Ada9#true',
  'a@example.org#Ada  Love#true',
  `a@example.org#${'a'.repeat(31)}#true`,
  `${'a'.repeat(254)}@example.org#Ada#true`,
  'a@example.org#%E0%A4%A#true',
])('the profile cookie %j stands for no profile', (text) => {
  expect(parseProfileCookie(text)).toBeNull()
})

test.each(['', 's', 's#old', 's#new#x', '#new', 'a b#new', `${'s'.repeat(65)}#new`, '%#new'])(
  'the session cookie %j stands for no session',
  (text) => {
    expect(parseSessionCookie(text)).toBeNull()
  },
)
