import { expect, test } from 'vitest'
import type { SideOutcome } from '../../../../server/matching/rules/match-outcome.ts'
import { type Origin, TRUST_HALF_LIFE_MS, Trust, type TrustedUser } from '../../../../server/matching/rules/trust.ts'
import { LocalDecayingSums } from '../../../../server/platform/rules/decaying-sums.ts'
import { fakeClock } from '../../../support/fake-clock.ts'

const silent: SideOutcome = { failed: 2, good: 0, fair: 0 }
/** One side reports the other's picture, the other none. */
const unclear: SideOutcome = { failed: 0.5, good: 0, fair: 0.25 }
const good: SideOutcome = { failed: 0, good: 1, fair: 1 }
const innocent: SideOutcome = { failed: 0, good: 0, fair: 1 }

const school: Origin = { network: 'school', device: 'school, Chrome on Windows' }
const tablet: Origin = { network: 'school', device: 'school, iPad' }
const elsewhere: TrustedUser = {
  accountId: 'partner',
  origin: { network: 'elsewhere', device: 'elsewhere' },
  wasApart: false,
}

function trustWithClock() {
  const clock = fakeClock(1_000_000)
  const trust = new Trust(new LocalDecayingSums(clock.now, ['failed', 'good', 'fair'], TRUST_HALF_LIFE_MS))
  const count = async (accountId: string, outcome: SideOutcome, times = 1, origin: Origin | null = null) => {
    for (let counted = 0; counted < times; counted += 1)
      await trust.count({ accountId, origin, wasApart: false }, elsewhere, outcome)
  }
  return { clock, trust, count }
}

test('who says nothing waits apart after two matches, and no longer when that is some minutes ago', async () => {
  const { clock, trust, count } = trustWithClock()
  await count('bot', silent)
  expect(await trust.apartMs('bot', null)).toBe(0)
  await count('bot', silent)
  expect(await trust.apartMs('bot', null)).toBeGreaterThan(0)
  clock.advance(TRUST_HALF_LIFE_MS)
  expect(await trust.apartMs('bot', null)).toBe(0)
})

test('the share counts: with one good call for two failures a user does not wait apart, and a good call frees', async () => {
  const { trust, count } = trustWithClock()
  await count('ann', unclear, 6)
  expect(await trust.apartMs('ann', null)).toBeGreaterThan(0)
  await count('ann', good, 2)
  expect(await trust.apartMs('ann', null)).toBe(0)
  await count('bob', good, 3)
  await count('bob', unclear, 11)
  expect(await trust.apartMs('bob', null)).toBe(0)
})

test('a match in which the other fails counts for nothing', async () => {
  const { trust, count } = trustWithClock()
  await count('ann', innocent, 100)
  expect(await trust.apartMs('ann', null)).toBe(0)
})

test('one account, however often it fails, does not put its network apart; three that fail every match do', async () => {
  const { trust, count } = trustWithClock()
  await count('bot', silent, 100, school)
  expect(await trust.apartMs('new', school)).toBe(0)
  for (const bot of ['second', 'third']) await count(bot, silent, 2, school)
  expect(await trust.apartMs('new', school)).toBeGreaterThan(0)
  expect(await trust.apartMs('new', { network: 'other school', device: 'other school, iPad' })).toBe(0)
})

test('in a network of many honest people, bots put nobody else apart', async () => {
  const { trust, count } = trustWithClock()
  for (const bot of ['one', 'two', 'three', 'four']) await count(bot, silent, 10, school)
  for (const pupil of ['ann', 'bob', 'cat']) await count(pupil, good, 3, school)
  expect(await trust.apartMs('new', school)).toBe(0)
  expect(await trust.apartMs('one', school)).toBeGreaterThan(0)
})

test('the kind of device decides where it is known, else the network', async () => {
  const { trust, count } = trustWithClock()
  for (const bot of ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight'])
    await count(bot, silent, 10, school)
  expect(await trust.apartMs('new', tablet)).toBeGreaterThan(0)
  for (const pupil of ['ann', 'bob', 'cat']) await count(pupil, good, 3, tablet)
  expect(await trust.apartMs('new', tablet)).toBe(0)
  expect(await trust.apartMs('new', school)).toBeGreaterThan(0)
})

test('in such a network, one match in which a newcomer does their part frees them, or two without a fault that is clear', async () => {
  const { trust, count } = trustWithClock()
  for (const bot of ['one', 'two', 'three', 'four']) await count(bot, silent, 10, school)
  expect(await trust.apartMs('ann', school)).toBeGreaterThan(0)
  await count('ann', innocent, 1, school)
  expect(await trust.apartMs('ann', school)).toBe(0)
  await count('bob', unclear, 2, school)
  expect(await trust.apartMs('bob', school)).toBe(0)
  await count('bot', silent, 1, school)
  expect(await trust.apartMs('bot', school)).toBeGreaterThan(0)
})

test.each<[string, Partial<TrustedUser>]>([
  ['who waited apart', { wasApart: true }],
  ['of the same network', { origin: school }],
])('a good call with one %s proves nothing', async (_, partner) => {
  const { trust, count } = trustWithClock()
  await count('bot', silent, 2, school)
  for (let counted = 0; counted < 10; counted += 1)
    await trust.count({ accountId: 'bot', origin: school, wasApart: false }, { ...elsewhere, ...partner }, good)
  expect(await trust.apartMs('bot', school)).toBeGreaterThan(0)
})

test('on a campus of 200 people who meet each other, with one failed connection in ten minutes each, nobody waits apart', async () => {
  const { clock, trust } = trustWithClock()
  const people = Array.from({ length: 200 }, (_, index) => ({
    accountId: `p${index}`,
    origin: school,
    wasApart: false,
  }))
  const waits = new Set<number>()
  for (let minute = 0; minute < 20; minute += 1) {
    for (const [index, person] of people.entries()) {
      const partner = people[(index + 1) % people.length] ?? person
      if (index % 10 === minute % 10) await trust.count(person, partner, unclear)
      else if (index % 5 === minute % 5) await trust.count(person, partner, good)
    }
    for (const accountId of ['newcomer', 'p0', 'p9']) waits.add(await trust.apartMs(accountId, school))
    clock.advance(60_000)
  }
  expect([...waits]).toEqual([0])
})

test.each([
  ['two', ['ann', 'bob'], false],
  ['eight apart', ['ann', 'bob', 'cat', 'dan', 'eve', 'fay', 'gil', 'hal'], true],
] as const)('calls of bots of one network with each other do not clear it: %s', async (_, callers, wasApart) => {
  const { trust, count } = trustWithClock()
  for (const bot of ['one', 'two', 'three', 'four', 'five']) await count(bot, silent, 10, school)
  const userOf = (accountId: string): TrustedUser => ({ accountId, origin: school, wasApart })
  for (let call = 0; call < 20; call += 1)
    for (const [index, caller] of callers.entries())
      await trust.count(userOf(caller), userOf(callers[(index + 1) % callers.length] ?? caller), good)
  expect(await trust.apartMs('new', school)).toBeGreaterThan(0)
})
