import { describe, expect, test } from 'vitest'
import type { QueueOptions } from '../../../server/matching/rules/match-queue.ts'
import type { Queue } from '../../../server/matching/rules/queue.ts'
import { seededRandom } from '../run-seed.ts'
import { apartContract } from './apart-contract.ts'
import { languagesContract } from './languages-contract.ts'
import { KEEP, namesOf, noWishes, queueTimes, RELAX } from './queue-terms.ts'
import { regionsContract } from './regions-contract.ts'

/** A newcomer without a region. */
function alone(blocked: string[] = [], met: string[] = []) {
  return { region: '', ...noWishes, blocked, met }
}

/** The contract of every queue; `make` returns an empty one. */
export function queueContract(name: string, make: (options: QueueOptions) => Queue | Promise<Queue>): void {
  const makeOne = () => make({ ...queueTimes, random: seededRandom() })
  describe(name, () => {
    regionsContract(makeOne)
    languagesContract(make)
    apartContract(makeOne)

    test('pairs two users as soon as the second joins', async () => {
      const queue = await makeOne()
      expect(await queue.join('ann', alone(), 0)).toEqual([])
      expect(namesOf(await queue.join('bob', alone(), 5))).toEqual([['ann', 'bob']])
      expect(await queue.find('ann')).toBeNull()
      expect(await queue.find('bob')).toBeNull()
    })

    test('keeps one entry a user and never pairs a user with themself', async () => {
      const queue = await makeOne()
      await queue.join('ann', alone(), 0)
      expect(await queue.join('ann', alone(), 1)).toEqual([])
      await queue.leave('ann')
      expect(await queue.join('bob', alone(), 2)).toEqual([])
    })

    test('counts waiting and absent users', async () => {
      const queue = await makeOne()
      const counts = () => queue.counts().get('') ?? { waiting: 0, away: 0 }
      await queue.join('ann', alone(['bob']), 0)
      await queue.join('bob', alone(), 0)
      expect(counts()).toEqual({ waiting: 2, away: 0 })
      await queue.drop('ann', 1)
      expect(counts()).toEqual({ waiting: 1, away: 1 })
      await queue.resume('ann', '', 2)
      expect(counts()).toEqual({ waiting: 2, away: 0 })
      await queue.leave('ann')
      expect(counts()).toEqual({ waiting: 1, away: 0 })
      await queue.join('cat', alone(), 3)
      expect(counts()).toEqual({ waiting: 0, away: 0 })
    })

    test('knows who waits: not the absent, the paired and those who left', async () => {
      const queue = await makeOne()
      const waiting = () => [[...queue.waiting.keys()].sort(), queue.waiting.size]
      await queue.join('ann', alone(['bob']), 0)
      await queue.join('bob', alone(), 0)
      expect(waiting()).toEqual([['ann', 'bob'], 2])
      await queue.drop('ann', 1)
      expect(waiting()).toEqual([['bob'], 1])
      await queue.drop('nobody', 1)
      await queue.resume('ann', '', 2)
      expect(waiting()).toEqual([['ann', 'bob'], 2])
      const [pair] = await queue.join('cat', alone(), 3)
      expect(waiting()).toEqual([[expect.stringMatching(/ann|bob/)], 1])
      if (!pair) throw new Error('cat was not paired')
      const [cat, other] = pair.caller.user === 'cat' ? [pair.caller, pair.callee] : [pair.callee, pair.caller]
      await queue.hold(cat, 4)
      expect(queue.waiting.has('cat')).toBe(false)
      await queue.restore({ ...other, blocked: new Set(['ann', 'bob', 'cat']) }, 5)
      expect(waiting()).toEqual([['ann', 'bob'], 2])
      await queue.leave('ann')
      await queue.leave('bob')
      expect(waiting()).toEqual([[], 0])
    })

    test('never pairs a blocked pair, whichever of the two lists the block', async () => {
      const queue = await makeOne()
      await queue.join('ann', alone(['bob']), 0)
      expect(await queue.join('bob', alone(), 0)).toEqual([])
      expect(await queue.join('cat', alone(['bob']), 0)).toHaveLength(1)
      expect(await queue.tick(KEEP * 10)).toEqual([])
      expect(await queue.find('bob')).not.toBeNull()
    })

    test('a block made while both wait still applies when the relax time has passed', async () => {
      const queue = await makeOne()
      await queue.join('ann', alone([], ['bob']), 0)
      await queue.join('bob', alone(), 0)
      await queue.block('bob', 'ann')
      expect(await queue.tick(RELAX)).toEqual([])
    })

    test('a block also applies when one of the two joins later without it', async () => {
      const queue = await makeOne()
      await queue.join('ann', alone(['cat']), 0)
      await queue.join('cat', alone(), 0)
      await queue.block('bob', 'ann')
      await queue.block('cat', 'bob')
      expect(await queue.join('bob', alone(), 1)).toEqual([])
    })

    test('pairs users who have met only after the relax time, and nextTick returns when', async () => {
      const queue = await makeOne()
      await queue.join('ann', alone([], ['bob']), 100)
      expect(await queue.join('bob', alone(), 200)).toEqual([])
      expect(queue.nextTick()).toBe(100 + RELAX)
      expect(await queue.tick(99 + RELAX)).toEqual([])
      expect(namesOf(await queue.tick(100 + RELAX))).toEqual([['ann', 'bob']])
      expect(queue.nextTick()).toBeNull()
    })

    test('prefers a new partner to an earlier one who has waited longer', async () => {
      const queue = await makeOne()
      await queue.join('ann', alone(['new'], ['bob']), 0)
      await queue.tick(RELAX)
      await queue.join('new', alone(), RELAX)
      expect(namesOf(await queue.join('bob', alone(), RELAX + 1))).toEqual([['bob', 'new']])
      expect(namesOf(await queue.join('bob', alone(), RELAX + 2))).toEqual([['ann', 'bob']])
    })

    test('takes the user who has waited longest', async () => {
      const queue = await makeOne()
      await queue.join('first', alone(['second', 'third']), 1)
      await queue.join('second', alone(['third']), 2)
      await queue.join('third', alone(), 3)
      expect(namesOf(await queue.join('ann', alone(), 4))).toEqual([['ann', 'first']])
      expect(namesOf(await queue.join('bob', alone(), RELAX + 3))).toEqual([['bob', 'second']])
    })

    test('takes the user who has waited longest, also across the relax time', async () => {
      const queue = await makeOne()
      await queue.join('first', alone(['second']), 0)
      await queue.join('second', alone(), RELAX)
      expect(namesOf(await queue.join('ann', alone(), RELAX))).toEqual([['ann', 'first']])
    })

    test('a user who dropped is not paired, and resumes the entry with its waiting time for a while', async () => {
      const queue = await makeOne()
      await queue.join('ann', alone(), 0)
      await queue.drop('ann', 10)
      expect(await queue.join('bob', alone(['cat']), 20)).toEqual([])
      expect(await queue.join('cat', alone(['ann']), 30)).toEqual([])
      expect(namesOf(await queue.resume('ann', '', 10 + KEEP - 1))).toEqual([['ann', 'bob']])

      await queue.drop('cat', 100_000)
      expect((await queue.find('cat'))?.since).toBe(30)
      await queue.tick(100_000 + KEEP)
      expect(await queue.find('cat')).toBeNull()
      expect(await queue.resume('cat', '', 100_000 + KEEP)).toEqual([])
      await queue.join('cat', alone(), 200_000)
      expect((await queue.find('cat'))?.since).toBe(200_000)
    })

    test('joining again keeps the waiting time and takes the new exclusions', async () => {
      const queue = await makeOne()
      await queue.join('ann', alone(), 0)
      await queue.join('ann', alone(['bob']), 50)
      expect((await queue.find('ann'))?.since).toBe(0)
      expect(await queue.join('bob', alone(), 60)).toEqual([])
    })

    test('joining again at the moment at which time makes the user eligible makes one pair', async () => {
      const queue = await makeOne()
      await queue.join('ann', alone([], ['bob']), 0)
      await queue.join('bob', alone([], ['ann']), 0)
      expect(namesOf(await queue.join('ann', alone([], ['bob']), RELAX))).toEqual([['ann', 'bob']])
      expect(await queue.find('ann')).toBeNull()
    })

    test('a match that failed leaves the waiting time as it was', async () => {
      const queue = await makeOne()
      await queue.join('ann', alone(), 0)
      const [pair] = await queue.join('bob', alone(), 5)
      const ann = pair?.caller.user === 'ann' ? pair.caller : pair?.callee
      if (!ann) throw new Error('ann was not paired')
      await queue.restore(ann, 9)
      expect((await queue.find('ann'))?.since).toBe(0)
    })
  })
}
