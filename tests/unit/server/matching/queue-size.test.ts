import { expect, test } from 'vitest'
import { createQueueSizeEvents } from '../../../../server/matching/queue-size-events.ts'
import { toldQueueSize, toldSpeakers } from '../../../../server/matching/rules/queue-size.ts'

test('the number is exact up to 99, rounded down to hundreds above, and never over 1,000', () => {
  expect([-1, 0, 1, 99, 100, 199, 200, 999, 1_000, 100_000].map(toldQueueSize)).toEqual([
    0, 0, 1, 99, 100, 100, 200, 900, 1_000, 1_000,
  ])
})

/** Users who search; `told` records what each was told, and `looks` how often all of them were looked through. */
function manyWho(count: number) {
  const users = new Set(Array.from({ length: count }, (_, index) => `user-${index}`))
  const told: unknown[][] = []
  const languages = new Map<string, string[]>()
  const speakers = new Map<string, number>()
  let looks = 0
  const sizes = createQueueSizeEvents({
    connections: {
      of: (accountId) => ({ id: accountId, accountId, region: '', origin: null, open: accountId !== 'away' }),
      send: (accountId, _event, numbers) => {
        told.push([accountId, ...numbers])
        return { isUnderWay: false, whenSettled: () => undefined }
      },
    },
    countAll: () => users.size,
    speakersOf: (language) => speakers.get(language) ?? 0,
    speakersHere: () => speakers,
    languagesOf: (accountId) => languages.get(accountId) ?? [],
    isSearching: (accountId) => users.has(accountId),
    searching: () => {
      looks += 1
      return [...users]
    },
  })
  return { users, sizes, told, languages, speakers, looks: () => looks }
}

test('among many users, one more is told alone and nobody is looked through', () => {
  const { users, sizes, told, looks } = manyWho(5_000)
  sizes.sweep(0)
  expect([told.length, looks()]).toEqual([5_000, 1])
  told.length = 0
  users.add('late')
  sizes.began('late')
  sizes.sweep(10_000)
  expect([told, looks()]).toEqual([[['late', 1_000]], 1])
})

test('one who began between two looks is told again only if the number is another by then', () => {
  const { users, sizes, told } = manyWho(2)
  sizes.sweep(0)
  told.length = 0
  users.add('third')
  sizes.began('third')
  expect(told).toEqual([['third', 2]])
  users.delete('user-0')
  sizes.sweep(10_000)
  expect(told).toEqual([
    ['third', 2],
    ['third', 1],
  ])
  users.add('fourth')
  sizes.began('fourth')
  sizes.sweep(20_000)
  expect(told.slice(2)).toEqual([
    ['fourth', 2],
    ['user-1', 2],
    ['third', 2],
  ])
})

test('one who is away or has left is told nothing', () => {
  const { users, sizes, told } = manyWho(0)
  users.add('away')
  sizes.began('away')
  sizes.began('gone')
  sizes.sweep(0)
  expect(told).toEqual([])
})

test('one who has named languages is told how many speak the commonest of them, and of every change', () => {
  const { users, sizes, told, languages, speakers } = manyWho(5)
  sizes.sweep(0)
  told.length = 0
  users.add('ann')
  languages.set('ann', ['is', 'en'])
  speakers.set('is', 1).set('en', 25)
  sizes.began('ann')
  expect(told).toEqual([['ann', 5, 20]])
  sizes.sweep(10_000)
  speakers.set('en', 20)
  told.length = 0
  sizes.sweep(20_000)
  expect(told).toEqual([['ann', 5, 10]])
  sizes.sweep(30_000)
  expect(told).toHaveLength(1)
})

test('one who has named a rare language learns nothing of its speakers, whether they come or go', () => {
  const { users, sizes, told, languages, speakers } = manyWho(5)
  users.add('ann')
  languages.set('ann', ['eu'])
  sizes.began('ann')
  for (const [sweep, count] of [1, 2, 10, 1].entries()) {
    speakers.set('eu', count)
    sizes.sweep(sweep * 10_000)
  }
  expect(told.filter(([account]) => account === 'ann')).toEqual([['ann', 5]])
})

test('speakers are told from 10 on, rounded down to tens, and to hundreds above 99', () => {
  expect([-1, 0, 9, 10, 19, 20, 99, 100, 199, 5_000].map(toldSpeakers)).toEqual([
    null,
    null,
    null,
    10,
    10,
    20,
    90,
    100,
    100,
    1_000,
  ])
})
