import { expect, test } from 'vitest'
import { MINUTE_MS } from '#protocol/durations.ts'
import { CountryLabels } from '../../../../server/operations/rules/country-labels.ts'
import { ServiceHealth } from '../../../../server/operations/rules/service-status.ts'

const ready = { hasDatabase: true, hasRedis: true, waiting: 0 }

function person(accountId: string, network: string | null = null, wasApart = false) {
  return { accountId, origin: network === null ? null : { network }, wasApart }
}

function healthWith(good: number, bad: number, at = 0) {
  const health = new ServiceHealth(0)
  for (let added = 0; added < good; added += 1) health.addCall(person(`good ${added}`), true, at)
  for (let added = 0; added < bad; added += 1) health.addCall(person(`bad ${added}`), false, at)
  return health
}

test.each([
  ['nothing', 0, 0, 'works'],
  ['nine faults, which may be of one person', 0, 9, 'works'],
  ['one fault in ten', 9, 1, 'works'],
  ['two in ten', 8, 2, 'trouble'],
  ['eight in ten', 2, 8, 'down'],
])('after %s the calls are told as expected', (_, good, bad, state) => {
  expect(healthWith(good, bad).status(ready, [], 1_000).calls.state).toBe(state)
})

test('one whose calls fail all the time counts once, and one who succeeds half of the time counts half', () => {
  const health = healthWith(6, 0)
  for (let added = 0; added < 100; added += 1) health.addCall(person(`silent ${added % 3}`), false, added)
  expect(health.callPeople(1_000)).toEqual({ good: 6, bad: 3 })
  expect(health.status(ready, [], 1_000).calls.state).toBe('works')
  for (const isGood of [true, false]) health.addCall(person('half'), isGood, MINUTE_MS)
  expect(health.callPeople(2 * MINUTE_MS)).toEqual({ good: 6.5, bad: 3.5 })
})

test('accounts of one network whose calls fail are few people', () => {
  const health = healthWith(20, 0)
  for (let added = 0; added < 60; added += 1) health.addCall(person(`silent ${added}`, 'one network'), false, 0)
  expect(health.status(ready, [], 1_000).calls.state).toBe('works')
  for (let added = 0; added < 60; added += 1) health.addCall(person(`far ${added}`, `network ${added}`), false, 0)
  expect(health.status(ready, [], 1_000).calls.state).toBe('trouble')
})

test('people apart do not count, unless only they are there: where the service fails, everybody is apart', () => {
  const health = healthWith(10, 0)
  for (let added = 0; added < 40; added += 1)
    health.addCall(person(`apart ${added}`, `network ${added}`, true), false, 0)
  expect(health.status(ready, [], 1_000).calls.state).toBe('works')
  const failing = healthWith(0, 0)
  for (let added = 0; added < 40; added += 1)
    failing.addCall(person(`apart ${added}`, `network ${added}`, true), false, 0)
  expect(failing.status(ready, [], 1_000).calls.state).toBe('down')
})

test('what happened five minutes ago is forgotten', () => {
  const health = healthWith(0, 20)
  expect(health.status(ready, [], 4 * MINUTE_MS).calls.state).toBe('down')
  expect(health.status(ready, [], 5 * MINUTE_MS).calls.state).toBe('works')
})

test('many who wait for minutes without a match are trouble, until there is one', () => {
  const health = new ServiceHealth(0)
  const many = { ...ready, waiting: 20 }
  expect(health.status(many, [], 3 * MINUTE_MS).matching.state).toBe('works')
  expect(health.status(many, [], 3 * MINUTE_MS + 1).matching.state).toBe('trouble')
  health.matched(4 * MINUTE_MS)
  expect(health.status(many, [], 5 * MINUTE_MS).matching.state).toBe('works')
  expect(health.status({ ...ready, waiting: 19 }, [], 30 * MINUTE_MS).matching.state).toBe('works')
  expect(health.status(many, [], 31 * MINUTE_MS).matching.state).toBe('works')
})

test('without the database nothing works', () => {
  const down = { state: 'down', since: 7 }
  const none = { signIn: down, matching: down, calls: down, pictures: down }
  expect(healthWith(20, 0).status({ ...ready, hasDatabase: false }, [], 7)).toEqual(none)
})

test('a fault at one of two servers is trouble, at both it is down', () => {
  const bad = healthWith(0, 10)
  const good = healthWith(200, 0)
  expect(good.status(ready, [bad.report(ready, 1_000)], 1_000).calls.state).toBe('trouble')
  expect(bad.status(ready, [good.report(ready, 1_000)], 1_000).calls.state).toBe('trouble')
  expect(healthWith(0, 10).status(ready, [bad.report(ready, 1_000)], 1_000).calls.state).toBe('down')
  const cutOff = good.report({ ...ready, hasDatabase: false }, 1_000)
  const states = Object.values(good.status(ready, [cutOff], 1_000)).map(({ state }) => state)
  expect(states).toEqual(['trouble', 'trouble', 'trouble', 'trouble'])
})

test('faults that are too few at each server are enough over all', () => {
  const other = healthWith(0, 5).report(ready, 1_000)
  expect(healthWith(0, 5).status(ready, [], 1_000).calls.state).toBe('works')
  expect(healthWith(0, 5).status(ready, [other], 1_000).calls.state).toBe('down')
  expect(healthWith(30, 0).status(ready, [other], 1_000).calls.state).toBe('works')
})

test('the queues of all servers are one: who waits and who was matched', () => {
  const [here, there] = [new ServiceHealth(0), new ServiceHealth(0)]
  const ten = { ...ready, waiting: 10 }
  const late = 3 * MINUTE_MS + 1
  const seen = (now: number) => here.status(ten, [there.report(ten, now)], now).matching.state
  expect(here.status(ten, [there.report(ready, 0)], 0).matching.state).toBe('works')
  expect(seen(late)).toBe('trouble')
  there.matched(late)
  expect(seen(late)).toBe('works')
})

test('a server that has just started learns from another since when a part does not work', () => {
  const there = healthWith(0, 10)
  there.status(ready, [], 1_000)
  const told = there.report(ready, 31_000)
  const here = new ServiceHealth(500_000)
  expect(here.status(ready, [told], 500_000).calls).toEqual({ state: 'down', since: 470_000 })
  expect(here.status(ready, [], 501_000).calls).toEqual({ state: 'works' })
})

test('a trouble has begun when it was first seen, also while it grows, and again after its end', () => {
  const health = healthWith(8, 2)
  expect(health.status(ready, [], 1_000).calls).toEqual({ state: 'trouble', since: 1_000 })
  for (let added = 0; added < 40; added += 1) health.addCall(person(`more ${added}`), false, 2_000)
  expect(health.status(ready, [], 2_000).calls).toEqual({ state: 'down', since: 1_000 })
  expect(health.status(ready, [], 6 * MINUTE_MS).calls).toEqual({ state: 'works' })
  expect(health.status({ ...ready, hasRedis: false }, [], 7 * MINUTE_MS).calls).toEqual({
    state: 'down',
    since: 7 * MINUTE_MS,
  })
})

test('no more than ten countries are named, and one person makes none common', () => {
  const labels = new CountryLabels()
  const alone = Array.from({ length: 50 }, () => labels.labelOf('DE', 'ada'))
  expect(new Set(alone)).toEqual(new Set(['other']))
  const codes = ['DE', 'FR', 'ES', 'IT', 'PT', 'GB', 'IE', 'NL', 'BE', 'AT', 'CH', 'PL']
  for (const code of codes) for (let n = 0; n < 20; n += 1) labels.labelOf(code, `${n}`)
  expect(codes.filter((code) => labels.labelOf(code, 'x') === code)).toEqual(codes.slice(0, 10))
  expect(['ZZ', 'pt1', '', null, 'Portugal'].map((text) => labels.labelOf(text, 'x'))).toEqual(Array(5).fill('other'))
})
