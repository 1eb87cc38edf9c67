import { expect, test } from 'vitest'
import type { QueueOptions } from '../../../server/matching/rules/match-queue.ts'
import type { Queue } from '../../../server/matching/rules/queue.ts'
import { seededRandom } from '../run-seed.ts'
import { ANYBODY, LANGUAGE, namesOf, queueTimes } from './queue-terms.ts'

type Exclusions = { blocked?: string[]; met?: string[] }

function speaking(languages: string[], interests: string[] = [], { blocked = [], met = [] }: Exclusions = {}) {
  return { region: '', languages, interests, apart: false, blocked, met }
}

/** A user joins with each of these languages and interests and leaves without a match, so that nobody is alone in them. */
async function lively(queue: Queue, at: number, languages: string[], interests: string[] = []): Promise<void> {
  await queue.join('passer', speaking(languages, interests, { blocked: ['ann', 'bob', 'cat', 'dan'] }), at)
  await queue.leave('passer')
}

/** The contract of every queue with users who have named languages and interests. */
export function languagesContract(make: (options: QueueOptions) => Queue | Promise<Queue>): void {
  const makeOne = (languageCrowd = 0) => make({ ...queueTimes, languageCrowd, random: seededRandom() })

  test('of those who wait the one with the same language and interest comes first, however long others have waited', async () => {
    const queue = await makeOne()
    const blocked = ['ann', 'bob', 'cat']
    await queue.join('ann', speaking(['es'], [], { blocked }), 0)
    await queue.join('bob', speaking(['en'], ['go'], { blocked }), 1)
    await queue.join('cat', speaking(['en'], ['chess'], { blocked }), 2)
    await queue.tick(ANYBODY + 2)
    expect(namesOf(await queue.join('dan', speaking(['en'], ['chess']), ANYBODY + 3))).toEqual([['cat', 'dan']])
    expect(namesOf(await queue.join('eve', speaking(['en'], ['chess']), ANYBODY + 4))).toEqual([['bob', 'eve']])
    expect(namesOf(await queue.join('fay', speaking(['en'], ['chess']), ANYBODY + 5))).toEqual([['ann', 'fay']])
  })

  test('people of one language with other interests meet after the first wait, and nextTick returns when', async () => {
    const queue = await makeOne()
    await lively(queue, 90, ['en'], ['chess', 'go'])
    expect(await queue.join('ann', speaking(['en'], ['chess']), 100)).toEqual([])
    expect(await queue.join('bob', speaking(['en'], ['go']), 200)).toEqual([])
    expect(queue.nextTick()).toBe(100 + LANGUAGE)
    expect(await queue.tick(99 + LANGUAGE)).toEqual([])
    expect(namesOf(await queue.tick(100 + LANGUAGE))).toEqual([['ann', 'bob']])
    expect(queue.nextTick()).toBeNull()
  })

  test('people without a common language meet after the longer wait', async () => {
    const queue = await makeOne()
    await lively(queue, 90, ['en', 'es'])
    expect(await queue.join('ann', speaking(['en']), 100)).toEqual([])
    expect(await queue.join('bob', speaking(['es']), 200)).toEqual([])
    expect(await queue.tick(99 + ANYBODY)).toEqual([])
    expect(namesOf(await queue.tick(100 + ANYBODY))).toEqual([['ann', 'bob']])
  })

  test('who is alone in their language meets anybody at once, and who is alone in their interest everybody of their language', async () => {
    const queue = await makeOne()
    await lively(queue, 0, ['en'], ['go'])
    expect(await queue.join('ann', speaking(['en'], ['go']), 1)).toEqual([])
    expect(namesOf(await queue.join('bob', speaking(['is'], ['go']), 2))).toEqual([['ann', 'bob']])
    expect(await queue.join('ann', speaking(['en'], ['go']), 3)).toEqual([])
    expect(namesOf(await queue.join('cat', speaking(['en'], ['knitting']), 4))).toEqual([['ann', 'cat']])
  })

  test('who has named nothing meets anybody at once', async () => {
    const queue = await makeOne()
    await lively(queue, 0, ['en'])
    expect(await queue.join('ann', speaking(['en']), 1)).toEqual([])
    expect(namesOf(await queue.join('bob', speaking([]), 2))).toEqual([['ann', 'bob']])
  })

  test('where few people join nobody waits for a language, and the best of those who wait still comes first', async () => {
    const queue = await makeOne(5)
    await lively(queue, 0, ['en', 'es'])
    expect(await queue.join('ann', speaking(['en']), 1)).toEqual([])
    expect(namesOf(await queue.join('bob', speaking(['es']), 2))).toEqual([['ann', 'bob']])
    await lively(queue, 3, ['en', 'es'])
    await lively(queue, 3, ['en', 'es'])
    expect(await queue.join('cat', speaking(['en']), 4)).toEqual([])
    expect(await queue.join('dan', speaking(['es']), 5)).toEqual([])
    expect(namesOf(await queue.join('eve', speaking(['es']), 6))).toEqual([['dan', 'eve']])
  })

  test('people who excluded each other never meet, whatever they share; those who have met wait for it', async () => {
    const queue = await makeOne()
    await queue.join('ann', speaking(['en'], ['go'], { blocked: ['bob'], met: ['cat'] }), 0)
    expect(await queue.join('bob', speaking(['en'], ['go'], { met: ['cat'] }), 1)).toEqual([])
    expect(await queue.join('cat', speaking(['en'], ['go']), 2)).toEqual([])
    expect(namesOf(await queue.join('dan', speaking(['en'], []), 3))).toEqual([['ann', 'dan']])
    expect(namesOf(await queue.tick(1 + queueTimes.relaxAfterMs))).toEqual([['bob', 'cat']])
  })

  test('who drops, resumes or is put back keeps languages, interests and waivers', async () => {
    const queue = await makeOne()
    await lively(queue, 0, ['en', 'es'], ['go'])
    await queue.join('ann', speaking(['en'], ['go']), 1)
    await queue.drop('ann', 2)
    expect(queue.speakers.counts.get('en')).toBeUndefined()
    await queue.resume('ann', '', 3)
    expect(queue.speakers.of('ann')).toEqual(['en'])
    const [pair] = await queue.join('bob', speaking(['en'], ['go']), 4)
    const ann = pair?.caller.user === 'ann' ? pair.caller : pair?.callee
    if (!ann) throw new Error('ann was not paired')
    expect(ann).toMatchObject({ languages: ['en'], interests: ['go'], anyLanguage: false, anyInterest: false })
    expect(queue.speakers.counts.size).toBe(0)
    await queue.restore(ann, 5)
    expect(queue.speakers.counts.get('en')).toBe(1)
    expect(await queue.join('cat', speaking(['es'], ['go']), 6)).toEqual([])
    expect(namesOf(await queue.join('dan', speaking(['en', 'es'], ['go']), 7))).toEqual([['ann', 'dan']])
  })
}
