import { expect, test } from 'vitest'
import { MatchQueue } from '../../../../server/matching/rules/match-queue.ts'
import { queueContract } from '../../../support/matching/queue-contract.ts'
import { noWishes, queueTimes } from '../../../support/matching/queue-terms.ts'

function alone(blocked: string[] = []) {
  return { region: '', ...noWishes, blocked, met: [] }
}

queueContract('the match queue', (options) => new MatchQueue(options))

test('chooses at random among users who joined at the same time, and which side is the Caller', () => {
  const cases = [
    [[0.9, 0.1, 0, 0.4], 'second', 'ann'],
    [[0.1, 0.9, 0, 0.6], 'first', 'first'],
  ] as const
  for (const [numbers, partner, caller] of cases) {
    const left: number[] = [...numbers]
    const queue = new MatchQueue({ ...queueTimes, random: () => left.shift() ?? 0 })
    queue.join('first', alone(['second']), 0)
    queue.join('second', alone(), 0)
    const [pair] = queue.join('ann', alone(), 1)
    expect([pair?.caller.user, pair?.callee.user].sort()).toEqual(['ann', partner])
    expect(pair?.caller.user).toBe(caller)
  }
})
