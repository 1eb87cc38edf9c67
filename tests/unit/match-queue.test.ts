import { describe, expect, test } from 'vitest'
import { MatchQueue, type Pair } from '../../server/domain/match-queue.ts'

const RELAX = 10_000
const KEEP = 45_000

function queueWith(numbers: number[] = []): MatchQueue {
  const left = [...numbers]
  return new MatchQueue({ random: () => left.shift() ?? 0, relaxAfterMs: RELAX, keepMs: KEEP })
}

function alone(blocked: string[] = [], met: string[] = []) {
  return { blocked, met }
}

function namesOf(pairs: Pair[]): string[][] {
  return pairs.map(({ caller, callee }) => [caller.user, callee.user].sort())
}

describe('the match queue', () => {
  test('pairs two people as soon as the second comes', () => {
    const queue = queueWith()
    expect(queue.join('ann', alone(), 0)).toEqual([])
    expect(namesOf(queue.join('bob', alone(), 5))).toEqual([['ann', 'bob']])
    expect(queue.find('ann')).toBeNull()
    expect(queue.find('bob')).toBeNull()
  })

  test('gives one person one place and never pairs them with themself', () => {
    const queue = queueWith()
    queue.join('ann', alone(), 0)
    expect(queue.join('ann', alone(), 1)).toEqual([])
    queue.leave('ann')
    expect(queue.join('bob', alone(), 2)).toEqual([])
  })

  test('never pairs a blocked pair, whichever of the two knows of the block', () => {
    const queue = queueWith()
    queue.join('ann', alone(['bob']), 0)
    expect(queue.join('bob', alone(), 0)).toEqual([])
    expect(queue.join('cat', alone(['bob']), 0)).toHaveLength(1)
    expect(queue.tick(KEEP * 10)).toEqual([])
    expect(queue.find('bob')).not.toBeNull()
  })

  test('a block made while both wait holds when the relax time has passed', () => {
    const queue = queueWith()
    queue.join('ann', alone([], ['bob']), 0)
    queue.join('bob', alone(), 0)
    queue.block('bob', 'ann')
    expect(queue.tick(RELAX)).toEqual([])
  })

  test('a block holds also when one of the two comes later and does not know of it', () => {
    const queue = queueWith()
    queue.join('ann', alone(['cat']), 0)
    queue.join('cat', alone(), 0)
    queue.block('bob', 'ann')
    queue.block('cat', 'bob')
    expect(queue.join('bob', alone(), 1)).toEqual([])
  })

  test('pairs people who have met only after the relax time, and tells when that is', () => {
    const queue = queueWith()
    queue.join('ann', alone([], ['bob']), 100)
    expect(queue.join('bob', alone(), 200)).toEqual([])
    expect(queue.nextTick()).toBe(100 + RELAX)
    expect(queue.tick(99 + RELAX)).toEqual([])
    expect(namesOf(queue.tick(100 + RELAX))).toEqual([['ann', 'bob']])
    expect(queue.nextTick()).toBeNull()
  })

  test('prefers somebody new to an earlier partner who has waited longer', () => {
    const queue = queueWith()
    queue.join('ann', alone(['new'], ['bob']), 0)
    queue.tick(RELAX)
    queue.join('new', alone(), RELAX)
    expect(namesOf(queue.join('bob', alone(), RELAX + 1))).toEqual([['bob', 'new']])
    expect(namesOf(queue.join('bob', alone(), RELAX + 2))).toEqual([['ann', 'bob']])
  })

  test('takes the one who has waited longest', () => {
    const queue = queueWith()
    queue.join('first', alone(['second', 'third']), 1)
    queue.join('second', alone(['third']), 2)
    queue.join('third', alone(), 3)
    expect(namesOf(queue.join('ann', alone(), 4))).toEqual([['ann', 'first']])
    expect(namesOf(queue.join('bob', alone(), RELAX + 3))).toEqual([['bob', 'second']])
  })

  test('takes the one who has waited longest also across the relax time', () => {
    const queue = queueWith()
    queue.join('first', alone(['second']), 0)
    queue.join('second', alone(), RELAX)
    expect(namesOf(queue.join('ann', alone(), RELAX))).toEqual([['ann', 'first']])
  })

  test('draws lots among those who came at the same moment, and for who calls', () => {
    const cases = [
      [[0.9, 0.1, 0, 0.4], 'second', 'ann'],
      [[0.1, 0.9, 0, 0.6], 'first', 'first'],
    ] as const
    for (const [numbers, partner, caller] of cases) {
      const queue = queueWith([...numbers])
      queue.join('first', alone(['second']), 0)
      queue.join('second', alone(), 0)
      const [pair] = queue.join('ann', alone(), 1)
      expect([pair?.caller.user, pair?.callee.user].sort()).toEqual(['ann', partner])
      expect(pair?.caller.user).toBe(caller)
    }
  })

  test('who dropped out is not paired, keeps the place and its waiting time for a while, and comes back into it', () => {
    const queue = queueWith()
    queue.join('ann', alone(), 0)
    queue.drop('ann', 10)
    expect(queue.join('bob', alone(['cat']), 20)).toEqual([])
    expect(queue.join('cat', alone(['ann']), 30)).toEqual([])
    expect(namesOf(queue.resume('ann', 10 + KEEP - 1))).toEqual([['ann', 'bob']])

    queue.drop('cat', 100_000)
    expect(queue.find('cat')?.since).toBe(30)
    queue.tick(100_000 + KEEP)
    expect(queue.find('cat')).toBeNull()
    expect(queue.resume('cat', 100_000 + KEEP)).toEqual([])
    queue.join('cat', alone(), 200_000)
    expect(queue.find('cat')?.since).toBe(200_000)
  })

  test('joining again keeps the waiting time and takes the new exclusions', () => {
    const queue = queueWith()
    queue.join('ann', alone(), 0)
    queue.join('ann', alone(['bob']), 50)
    expect(queue.find('ann')?.since).toBe(0)
    expect(queue.join('bob', alone(), 60)).toEqual([])
  })

  test('joining again at the moment at which the time has made one eligible makes one match', () => {
    const queue = queueWith()
    queue.join('ann', alone([], ['bob']), 0)
    queue.join('bob', alone([], ['ann']), 0)
    expect(namesOf(queue.join('ann', alone([], ['bob']), RELAX))).toEqual([['ann', 'bob']])
    expect(queue.find('ann')).toBeNull()
  })

  test('a match that came to nothing leaves the waiting time as it was', () => {
    const queue = queueWith()
    queue.join('ann', alone(), 0)
    const [pair] = queue.join('bob', alone(), 5)
    const ann = pair?.caller.user === 'ann' ? pair.caller : pair?.callee
    if (!ann) throw new Error('ann was not paired')
    queue.restore(ann, 9)
    expect(queue.find('ann')?.since).toBe(0)
  })
})
