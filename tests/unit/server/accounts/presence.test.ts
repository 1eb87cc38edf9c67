import { expect, test } from 'vitest'
import { createAliasOf } from '../../../../server/accounts/rules/alias.ts'
import { createPresence, PRESENCE_MS } from '../../../../server/hub/rules/presence.ts'

test('a user is online until a minute after being seen last', () => {
  let now = 0
  const presence = createPresence({ now: () => now, after: () => () => undefined })
  presence.seen('ada')
  now = 10_000
  presence.seen('bob')
  now = 50_000
  presence.seen('ada')
  now = 10_000 + PRESENCE_MS - 1
  expect(presence.count()).toBe(2)
  now = 10_000 + PRESENCE_MS
  expect(presence.count()).toBe(1)
  now = 50_000 + PRESENCE_MS
  expect(presence.count()).toBe(0)
})

test('each viewer gets another alias of the same peer', () => {
  const aliasOf = createAliasOf((text) => `digest of ${text}`)
  expect(aliasOf('ada', 'bob')).toBe(aliasOf('ada', 'bob'))
  expect(aliasOf('ada', 'bob')).not.toBe(aliasOf('carl', 'bob'))
  expect(aliasOf('a', 'bc')).not.toBe(aliasOf('ab', 'c'))
})
