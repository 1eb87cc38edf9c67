import { expect, test } from 'vitest'
import type { Queue } from '../../../server/matching/rules/queue.ts'
import { APART, namesOf, noWishes, RELAX } from './queue-terms.ts'

function newcomer(apart: boolean, met: string[] = [], region = '') {
  return { region, ...noWishes, apart, blocked: [] as string[], met }
}

/** The contract of every queue with users who wait apart. */
export function apartContract(makeOne: () => Queue | Promise<Queue>): void {
  test('who waits apart is paired at once with another one, and so are all others', async () => {
    const queue = await makeOne()
    await queue.join('bot', newcomer(true), 0)
    expect(await queue.join('ann', newcomer(false), 1)).toEqual([])
    expect(namesOf(await queue.join('bob', newcomer(false), 2))).toEqual([['ann', 'bob']])
    expect(namesOf(await queue.join('bit', newcomer(true), 3))).toEqual([['bit', 'bot']])
  })

  test('where nobody else is there, who does not wait apart meets those who do after a while, and nextTick returns when', async () => {
    const queue = await makeOne()
    await queue.join('bot', newcomer(true), 100)
    expect(await queue.join('ann', newcomer(false), 200)).toEqual([])
    await queue.tick(100 + RELAX)
    await queue.tick(200 + RELAX)
    expect(queue.nextTick()).toBe(200 + APART)
    expect(await queue.tick(199 + APART)).toEqual([])
    expect(namesOf(await queue.tick(200 + APART))).toEqual([['ann', 'bot']])
    expect(queue.nextTick()).toBeNull()
  })

  test('who has waited for that is paired at once with the next one who waits apart; however long those wait themselves, no newcomer meets them', async () => {
    const queue = await makeOne()
    await queue.join('ann', newcomer(false), 0)
    await queue.tick(APART)
    expect(namesOf(await queue.join('bot', newcomer(true), APART + 1))).toEqual([['ann', 'bot']])
    await queue.join('bot', newcomer(true), 2 * APART)
    await queue.tick(10 * APART)
    expect(await queue.join('bob', newcomer(false), 10 * APART)).toEqual([])
  })

  test('an earlier partner of the own part comes before a new one of the other', async () => {
    const queue = await makeOne()
    await queue.join('bot', newcomer(true), 0)
    await queue.join('ann', { ...newcomer(false, ['bob']), blocked: ['bot'] }, 0)
    expect(await queue.tick(APART)).toEqual([])
    expect(namesOf(await queue.join('bob', newcomer(false), APART + 1))).toEqual([['ann', 'bob']])
  })

  test('who waits apart in another region, drops, resumes or is put back still waits apart', async () => {
    const queue = await makeOne()
    await queue.join('ann', newcomer(false, [], 'eu'), 0)
    await queue.join('bot', newcomer(true, [], 'us'), 0)
    await queue.drop('bot', 1)
    expect(await queue.resume('bot', 'eu', 2)).toEqual([])
    const [pair] = await queue.join('bit', newcomer(true, [], 'eu'), 3)
    const bot = pair?.caller.user === 'bot' ? pair.caller : pair?.callee
    if (!bot) throw new Error('bot was not paired')
    expect(await queue.restore(bot, 4)).toEqual([])
    expect(queue.counts().get('eu')).toEqual({ waiting: 2, away: 0 })
    expect(namesOf(await queue.join('bob', newcomer(false, [], 'eu'), 5))).toEqual([['ann', 'bob']])
  })
}
