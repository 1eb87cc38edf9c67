import { expect, test } from 'vitest'
import { AppError } from '#protocol/errors.ts'
import { gathered } from '../../../../server/platform/rules/gathered.ts'

const AT_ONCE = 2

/** Lets everything run that follows from what has ended. */
const turn = () => new Promise((resolve) => setImmediate(resolve))

/** Statements that end when the test answers them; each letter is an item. */
function statementsForTest(itemsMax?: number) {
  const statements: { items: string; end: () => void; fail: (error: Error) => void }[] = []
  const ask = gathered({
    ask: (items: readonly string[]) =>
      new Promise<(item: string) => string>((resolve, reject) => {
        const end = () => resolve((item) => `${item} of ${items.join('')}`)
        statements.push({ items: items.join(''), end, fail: reject })
      }),
    ...(itemsMax !== undefined && { itemsMax }),
  })
  return { ask, statements, sent: () => statements.map(({ items }) => items) }
}

test('what is asked while enough statements are under way goes together in the next one', async () => {
  const { ask, statements, sent } = statementsForTest()
  const answers = ['a', 'b', 'c', 'd', 'c'].map(ask)
  expect(sent()).toEqual(['a', 'b'])
  expect(sent()).toHaveLength(AT_ONCE)
  statements[1]?.end()
  expect(await answers[1]).toBe('b of b')
  await turn()
  expect(sent()).toEqual(['a', 'b', 'cdc'])
  const last = ask('e')
  statements[0]?.end()
  statements[2]?.end()
  await turn()
  expect(await Promise.all(answers)).toEqual(['a of a', 'b of b', 'c of cdc', 'd of cdc', 'c of cdc'])
  statements[3]?.end()
  expect(await last).toBe('e of e')
  void ask('f')
  expect(sent().at(-1)).toBe('f')
})

test('a statement has no more items than it may', async () => {
  const { ask, statements, sent } = statementsForTest(2)
  for (const item of ['a', 'b', 'c', 'd', 'e']) void ask(item)
  statements[0]?.end()
  statements[1]?.end()
  await turn()
  expect(sent()).toEqual(['a', 'b', 'cd', 'e'])
})

test('an item that makes a statement fail fails alone', async () => {
  const ask = gathered({
    async ask(items: readonly string[]) {
      if (items.includes('bad')) throw new Error(`refused ${items.length}`)
      return (item) => item
    },
  })
  const outcomes = await Promise.allSettled(['a', 'b', 'c', 'bad', 'd'].map(ask))
  expect(outcomes.map((one) => (one.status === 'fulfilled' ? one.value : one.reason.message))).toEqual([
    'a',
    'b',
    'c',
    'refused 1',
    'd',
  ])
})

test('a database that is away fails all items of a statement, which is not repeated for each', async () => {
  const { ask, statements, sent } = statementsForTest()
  const answers = ['a', 'b', 'c', 'd'].map(ask)
  statements[0]?.end()
  await turn()
  statements[2]?.fail(new AppError('unavailable', 'away'))
  statements[1]?.end()
  const outcomes = await Promise.allSettled(answers)
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'rejected'])
  expect(sent()).toEqual(['a', 'b', 'cd'])
})
