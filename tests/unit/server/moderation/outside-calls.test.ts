import { expect, test } from 'vitest'
import { outsideCalls, withRememberedCallers } from '../../../../server/moderation/rules/outside-calls.ts'
import { createDice } from '../../../support/dice.ts'
import { fakeClock } from '../../../support/fake-clock.ts'
import { callTown, mix, ring } from '../../../support/moderation/call-town.ts'

const SETTLED = 10
const { next: random } = createDice(7)

/** A town of `people` who have talked with 20 others each, at random. */
function townOf(people: number) {
  const town = callTown()
  const all = town.add('honest', people)
  mix(town, all, all, 10, random)
  return { town, all }
}

async function counts(town: ReturnType<typeof callTown>, ids: readonly string[]): Promise<number[]> {
  const found: number[] = []
  for (const id of ids) found.push(await outsideCalls(id, town.calls))
  return found
}

test.each([120, 1_500])('in a town of %d who talk with anybody, nearly every call counts', async (people) => {
  const { town, all } = townOf(people)
  const some = all.slice(0, 20)
  const shares = (await counts(town, some)).map((count, index) => count / town.partnersOf(some[index] ?? ''))
  expect(Math.min(...shares)).toBeGreaterThan(0.7)
})

test('a dormitory behind one address: calls with each other do not count, calls with outsiders do', async () => {
  const { town, all } = townOf(300)
  const dormitory = town.add('student', 8, () => ({ networks: ['the dormitory'] }))
  for (const student of dormitory) mix(town, [student], dormitory, 20, random)
  expect(await counts(town, dormitory)).toEqual(dormitory.map(() => 0))
  mix(town, dormitory, all, 12, random)
  for (const count of await counts(town, dormitory)) expect(count).toBeGreaterThanOrEqual(SETTLED)
})

test.each([11, 23, 60])('%d accounts of one network, or of one batch, give each other nothing', async (count) => {
  const { town } = townOf(200)
  for (const origin of [{ networks: ['one'] }, { createdAt: 0 }]) {
    const farm = town.add(`farm ${JSON.stringify(origin)}`, count, () => origin)
    for (const one of farm) mix(town, [one], farm, 30, random)
    expect(await counts(town, farm)).toEqual(farm.map(() => 0))
  }
})

test('accounts of one network or batch count as one person for who has called them', async () => {
  const { town, all } = townOf(200)
  const [one] = all
  const before = (await counts(town, [one ?? '']))[0] ?? 0
  for (const rented of town.add('rented', 30, () => ({ networks: ['a rented server'] }))) town.call(one ?? '', rented)
  for (const made of town.add('made', 30, () => ({ createdAt: 0 }))) town.call(one ?? '', made)
  expect((await counts(town, [one ?? '']))[0]).toBeLessThanOrEqual(before + 2)
})

test.each([
  [2, 0],
  [11, 0],
  [24, 0],
  [60, 0],
  [120, 0],
  [200, 0],
  // Each has also talked with a few strangers.
  [24, 2],
  [60, 3],
  [120, 3],
  [200, 3],
])(
  'a spread farm of %d that calls itself, and %d honest strangers each, has no reporter who is settled',
  async (size, strangers) => {
    const { town, all } = townOf(800)
    const shapes = [
      (farm: string[]) => ring(town, farm, 6),
      (farm: string[]) => mix(town, farm, farm, 8, random),
      // One half reports, the other is called by it.
      (farm: string[]) => mix(town, farm.slice(0, size / 2), farm.slice(size / 2), 12, random),
    ]
    for (const [shape, build] of shapes.entries()) {
      const farm = town.add(`farm ${shape}`, size)
      build(farm)
      mix(town, farm, all, strangers, random)
      // Of large farms, a sample.
      const found = await counts(town, farm.slice(0, 25))
      expect(found.filter((count) => count >= SETTLED)).toEqual([])
    }
  },
)

test.each([5, 11, 20, 50])(
  'also where nobody else has called yet, the %d who only called each other are no settled reporters',
  async (size) => {
    const town = callTown()
    const farm = town.add('farm', size)
    mix(town, farm, farm, 15, random)
    expect(await counts(town, farm)).toEqual(farm.map(() => 0))
  },
)

test('all callers are counted beside the reports, at most once in ten minutes, and a fault of a count changes nothing', async () => {
  const clock = fakeClock(5)
  const running: Promise<unknown>[] = []
  const counts: PromiseWithResolvers<number>[] = []
  const callers = () => {
    const count = Promise.withResolvers<number>()
    counts.push(count)
    return count.promise
  }
  const run = (_: string, work: Promise<unknown>) => void running.push(work.catch(() => undefined))
  const calls = withRememberedCallers({ ...callTown().calls, callers }, clock, run)
  const settle = async (number: number | Error) => {
    if (number instanceof Error) counts.at(-1)?.reject(number)
    else counts.at(-1)?.resolve(number)
    await Promise.all(running)
  }

  expect([await calls.callers(500), await calls.callers(500)]).toEqual([500, 500])
  await settle(70)
  expect(await calls.callers(500)).toBe(70)
  clock.advance(10 * 60_000 - 1)
  expect([await calls.callers(500), counts.length]).toEqual([70, 1])
  clock.advance(1)
  expect([await calls.callers(500), counts.length]).toEqual([70, 2])
  await settle(new Error('the database is away'))
  expect([await calls.callers(500), counts.length]).toEqual([70, 2])
})
