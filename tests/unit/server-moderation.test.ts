import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { BlockStatus } from '#protocol/fields.ts'
import { createAliasOf } from '../../server/domain/alias.ts'
import { statusAfterAppeal, statusAfterReports } from '../../server/domain/moderation.ts'
import { createPresence, PRESENCE_MS } from '../../server/domain/presence.ts'

const policy = { reportsToWarn: 2, reportsToSuspend: 4, windowDays: 30 }
const rank = { Valid: 0, Warning: 1, Appeal: 2 }

test('two people who report lead to a warning, four to a suspension', () => {
  expect(statusAfterReports('Valid', 1, policy)).toBe('Valid')
  expect(statusAfterReports('Valid', 2, policy)).toBe('Warning')
  expect(statusAfterReports('Warning', 3, policy)).toBe('Warning')
  expect(statusAfterReports('Warning', 4, policy)).toBe('Appeal')
  expect(statusAfterReports('Valid', 9, policy)).toBe('Appeal')
})

test('reports never soften a status and never decide for a moderator', () => {
  const statuses = fc.constantFrom<BlockStatus>('Valid', 'Warning', 'Appeal', 'InReview', 'Blocked')
  fc.assert(
    fc.property(statuses, fc.nat(20), (status, reporters) => {
      const next = statusAfterReports(status, reporters, policy)
      if (status === 'InReview' || status === 'Blocked') expect(next).toBe(status)
      else expect(rank[next as keyof typeof rank]).toBeGreaterThanOrEqual(rank[status])
    }),
  )
})

test('only a suspended account can appeal', () => {
  expect(statusAfterAppeal('Appeal')).toBe('InReview')
  for (const status of ['Valid', 'Warning', 'InReview', 'Blocked'] as const)
    expect(statusAfterAppeal(status)).toBeNull()
})

test('somebody is online until a minute after the last sighting', () => {
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

test('each viewer knows a peer by a name of their own', () => {
  const aliasOf = createAliasOf((text) => `digest of ${text}`)
  expect(aliasOf('ada', 'bob')).toBe(aliasOf('ada', 'bob'))
  expect(aliasOf('ada', 'bob')).not.toBe(aliasOf('carl', 'bob'))
  expect(aliasOf('a', 'bc')).not.toBe(aliasOf('ab', 'c'))
})
