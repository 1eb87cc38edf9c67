import { expect, test } from 'vitest'
import { followPhases } from '../../../scripts/links/follow-phases.ts'
import { networks } from '../../../scripts/links/links.ts'
import { fakeClock } from '../../support/fake-clock.ts'

const [fast, slow, fastAgain] = networks.drop.phases.map(({ link }) => link)

test('each phase begins when the network says, and the first again 30 s after the last', () => {
  const clock = fakeClock()
  const changes: { second: number; link: unknown }[] = []
  followPhases(networks.drop, (link) => changes.push({ second: clock.now() / 1_000, link }), clock)
  clock.advance(101_000)
  expect(changes).toEqual([
    { second: 15, link: slow },
    { second: 35, link: fastAgain },
    { second: 65, link: fast },
    { second: 80, link: slow },
    { second: 100, link: fastAgain },
  ])
})

test('it ends without a timer', () => {
  const clock = fakeClock()
  const changes: unknown[] = []
  const end = followPhases(networks.drop, (link) => changes.push(link), clock)
  clock.advance(20_000)
  end()
  expect(clock.waiting()).toBe(0)
  clock.advance(100_000)
  expect(changes).toEqual([slow])
})

test('a steady network never changes and has no timer', () => {
  const clock = fakeClock()
  followPhases(networks['3g'], () => expect.unreachable(), clock)
  expect(clock.waiting()).toBe(0)
})
