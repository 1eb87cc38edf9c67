import { expect, test } from 'vitest'
import type { Pair } from '../../../server/matching/rules/match-queue.ts'
import type { Queue } from '../../../server/matching/rules/queue.ts'
import { KEEP, namesOf, noWishes, RELAX, SPILL } from './queue-terms.ts'

function from(region: string, { blocked = [], met = [] }: { blocked?: string[]; met?: string[] } = {}) {
  return { region, ...noWishes, blocked, met }
}

function placeOf(pairs: Pair[], user: string) {
  const entries = pairs.flatMap(({ caller, callee }) => [caller, callee])
  const place = entries.find((one) => one.user === user)
  if (!place) throw new Error(`${user} was not paired`)
  return place
}

/** A user joins each of these regions and leaves without a match, so that none is thin. */
async function lively(queue: Queue, at: number, ...regions: string[]): Promise<void> {
  for (const region of regions) {
    expect(await queue.join('passer', from(region, { blocked: ['ann', 'bob', 'cat'] }), at)).toEqual([])
    await queue.leave('passer')
  }
}

/** The contract of every queue with users of several regions. */
export function regionsContract(make: () => Queue | Promise<Queue>): void {
  test('one region: no user waits for a spill, and no tick is due for one', async () => {
    const queue = await make()
    await lively(queue, 0, 'eu')
    await queue.join('ann', from('eu', { met: ['bob'] }), 10)
    expect(await queue.join('bob', from('eu'), 20)).toEqual([])
    expect(queue.nextTick()).toBe(10 + RELAX)
    expect(namesOf(await queue.join('cat', from('eu'), 30))).toEqual([['ann', 'cat']])
  })

  test('searches the own region first, however long others have waited', async () => {
    const queue = await make()
    await queue.join('ann', from('us', { blocked: ['bob'] }), 0)
    await queue.join('bob', from('eu'), 1)
    expect(namesOf(await queue.join('cat', from('eu'), SPILL + 1))).toEqual([['bob', 'cat']])
  })

  test('between regions that are not thin the spill time must pass, and nextTick returns when', async () => {
    const queue = await make()
    await lively(queue, 0, 'eu', 'us')
    expect(await queue.join('ann', from('eu'), 100)).toEqual([])
    expect(queue.nextTick()).toBe(100 + RELAX)
    expect(await queue.join('bob', from('us'), 200)).toEqual([])
    expect(queue.nextTick()).toBe(100 + SPILL)
    expect(await queue.tick(99 + SPILL)).toEqual([])
    expect(namesOf(await queue.tick(100 + SPILL))).toEqual([['ann', 'bob']])
    expect(queue.nextTick()).toBeNull()
  })

  test('a newcomer is paired at once with users elsewhere who have waited the spill time, the longest first', async () => {
    const queue = await make()
    await lively(queue, 0, 'eu', 'us', 'asia')
    await queue.join('cat', from('us', { blocked: ['ann', 'bob', 'dan', 'eve'] }), 1)
    await queue.join('ann', from('eu', { blocked: ['bob'] }), 2)
    await queue.join('bob', from('us'), 3)
    await lively(queue, SPILL, 'asia')
    expect(namesOf(await queue.join('dan', from('asia'), SPILL + 3))).toEqual([['ann', 'dan']])
    expect(namesOf(await queue.join('eve', from('asia'), SPILL + 4))).toEqual([['bob', 'eve']])
  })

  test('a user elsewhere who has waited less than the spill time waits on behind one who has waited longer and is excluded', async () => {
    const queue = await make()
    await lively(queue, 0, 'eu')
    await queue.join('ann', from('eu', { blocked: ['bob', 'cat'] }), 1)
    await queue.join('bob', from('eu'), SPILL)
    await lively(queue, SPILL, 'us')
    expect(await queue.join('cat', from('us'), SPILL + 1)).toEqual([])
    expect(namesOf(await queue.tick(2 * SPILL))).toEqual([['bob', 'cat']])
  })

  test('in a thin region a newcomer spills at once', async () => {
    const queue = await make()
    await lively(queue, 0, 'eu')
    expect(await queue.join('ann', from('eu'), 1)).toEqual([])
    expect(namesOf(await queue.join('bob', from('us'), 2))).toEqual([['ann', 'bob']])
  })

  test('the first user of a thin region is paired with newcomers elsewhere at once, also behind others', async () => {
    const queue = await make()
    await lively(queue, 0, 'eu')
    await queue.join('ann', from('us', { blocked: ['bob', 'cat'] }), 1)
    await queue.join('bob', from('asia'), 2)
    expect(namesOf(await queue.join('cat', from('eu'), 3))).toEqual([['bob', 'cat']])
    await queue.join('dan', from('us', { blocked: ['ann'] }), 4)
    expect(namesOf(await queue.join('eve', from('eu'), 5))).toEqual([['ann', 'eve']])
    expect(await queue.join('fay', from('eu'), 6)).toEqual([])
    expect((await queue.find('dan'))?.since).toBe(4)
  })

  test('a region is thin for a user who alone has joined it, however often', async () => {
    const queue = await make()
    await queue.join('ann', from('us'), 0)
    await queue.leave('ann')
    await lively(queue, 0, 'eu')
    await queue.join('bob', from('eu'), 10)
    expect(namesOf(await queue.join('ann', from('us'), 20))).toEqual([['ann', 'bob']])
    // For all others, ann has joined it.
    await queue.join('cat', from('eu'), 30)
    expect(await queue.join('dan', from('us'), 40)).toEqual([])
    // For ann, dan has.
    expect(await queue.join('ann', from('us', { blocked: ['dan'] }), 50)).toEqual([])
  })

  test('a region is thin again when no other user has joined it for the spill time', async () => {
    const queue = await make()
    await lively(queue, 0, 'us')
    await lively(queue, SPILL, 'eu')
    await queue.join('ann', from('eu'), SPILL)
    expect(namesOf(await queue.join('bob', from('us'), SPILL))).toEqual([['ann', 'bob']])
  })

  test('earlier partners are the last choice over all regions', async () => {
    const queue = await make()
    await queue.join('ann', from('eu', { met: ['bob'] }), 0)
    expect(await queue.join('bob', from('eu'), 1)).toEqual([])
    // A new partner in another region comes before an earlier partner in the own one.
    expect(namesOf(await queue.join('cat', from('us'), RELAX - 1))).toEqual([['ann', 'cat']])
    await queue.join('ann', from('us'), RELAX - 1)
    expect(await queue.find('bob')).toBeNull()
  })

  test('earlier partners of two regions meet when one has waited the relax time', async () => {
    const queue = await make()
    await queue.join('ann', from('eu', { met: ['bob'] }), 100)
    await queue.join('bob', from('us', { met: ['ann'] }), 200)
    expect(await queue.tick(99 + RELAX)).toEqual([])
    expect(namesOf(await queue.tick(100 + RELAX))).toEqual([['ann', 'bob']])
  })

  test('of earlier partners the one in the own region comes first', async () => {
    const queue = await make()
    await queue.join('ann', from('us', { met: ['cat'], blocked: ['bob'] }), 0)
    await queue.join('bob', from('eu', { met: ['cat'] }), 1)
    expect(namesOf(await queue.join('cat', from('eu'), RELAX + 1))).toEqual([['bob', 'cat']])
  })

  test('after a long silence all meet new partners before any meets an earlier one', async () => {
    const queue = await make()
    await lively(queue, 0, 'eu', 'us', 'asia')
    await queue.join('ann', from('eu', { met: ['bob'], blocked: ['dan'] }), 1)
    await queue.join('bob', from('us', { blocked: ['dan'] }), 2)
    await queue.join('cat', from('asia', { blocked: ['ann'] }), 3)
    await queue.join('dan', from('asia', { blocked: ['cat'] }), 4)
    expect(namesOf(await queue.tick(RELAX * 2))).toEqual([['bob', 'cat']])
  })

  test('of several who have waited the relax time, the longest meets an earlier partner first', async () => {
    const queue = await make()
    await queue.join('dan', from('eu', { blocked: ['ann', 'bob', 'cat'] }), 0)
    await queue.join('ann', from('us', { met: ['cat'], blocked: ['bob'] }), 1)
    await queue.join('bob', from('eu', { met: ['cat'] }), 2)
    await queue.join('cat', from('asia'), 3)
    expect(await queue.tick(SPILL + 3)).toEqual([])
    expect(namesOf(await queue.tick(RELAX * 2))).toEqual([['ann', 'cat']])
  })

  test('a user who drops and resumes has the entry in the same region', async () => {
    const queue = await make()
    await lively(queue, 0, 'eu', 'us')
    await queue.join('ann', from('eu'), 1)
    await queue.drop('ann', 2)
    expect(await queue.find('ann')).toMatchObject({ since: 1, region: 'eu' })
    expect(queue.counts().get('eu')).toEqual({ waiting: 0, away: 1 })
    expect(await queue.join('bob', from('us'), 3)).toEqual([])
    expect(await queue.resume('ann', 'eu', 4)).toEqual([])
    expect(queue.counts().get('eu')).toEqual({ waiting: 1, away: 0 })
    expect(namesOf(await queue.join('cat', from('eu'), 5))).toEqual([['ann', 'cat']])
  })

  test('a user who resumes in another region, or moves there while waiting, keeps the waiting time', async () => {
    const queue = await make()
    await lively(queue, 0, 'eu', 'us')
    await queue.join('ann', from('eu'), 1)
    await queue.drop('ann', 2)
    expect(await queue.resume('ann', 'us', 3)).toEqual([])
    expect(await queue.find('ann')).toMatchObject({ since: 1, region: 'us' })
    expect(await queue.join('bob', from('eu'), 4)).toEqual([])
    expect(queue.counts().get('us')).toEqual({ waiting: 1, away: 0 })
    expect(namesOf(await queue.resume('ann', 'eu', 5))).toEqual([['ann', 'bob']])
  })

  test('a user who joins again elsewhere keeps the waiting time', async () => {
    const queue = await make()
    await lively(queue, 0, 'eu', 'us')
    await queue.join('ann', from('eu'), 1)
    expect(await queue.join('ann', from('us'), 2)).toEqual([])
    expect(await queue.find('ann')).toMatchObject({ since: 1, region: 'us' })
    expect(await queue.join('bob', from('eu'), 3)).toEqual([])
    expect(namesOf(await queue.tick(1 + SPILL))).toEqual([['ann', 'bob']])
  })

  test('a match that failed leaves region and spill as they were', async () => {
    const queue = await make()
    await lively(queue, 0, 'eu', 'us')
    await queue.join('ann', from('eu'), 1)
    const near = await queue.join('bob', from('eu'), 2)
    await queue.hold(placeOf(near, 'bob'), 3)
    expect(await queue.restore(placeOf(near, 'ann'), 3)).toEqual([])
    expect(await queue.join('cat', from('us', { blocked: ['dan'] }), 4)).toEqual([])
    expect(await queue.find('ann')).toMatchObject({ since: 1, region: 'eu' })
    const thin = await queue.join('dan', from('asia', { blocked: ['bob'] }), 5)
    expect(namesOf(thin)).toEqual([['ann', 'dan']])
    await queue.hold(placeOf(thin, 'ann'), 6)
    await queue.restore(placeOf(thin, 'dan'), 6)
    expect(namesOf(await queue.join('eve', from('eu'), 7))).toEqual([['dan', 'eve']])
    await queue.tick(7 + KEEP)
  })
}
