import { expect, test } from 'vitest'
import type { RefusedWord } from '../../../../server/words/rules/refused-phrases.ts'
import { createWordChecks } from '../../../../server/words/rules/word-checks.ts'

test('what is refused on one server counts on the others: at once in suggestions and changes, for peers within ten seconds', async () => {
  let now = 0
  const table: RefusedWord[] = []
  const server = () => createWordChecks({ all: async () => [...table] }, { now: () => now })
  const [one, other] = [server(), server()]
  for (const checks of [one, other]) {
    expect(await checks.suggestable(['zorg', 'chess'])).toEqual(['zorg', 'chess'])
    expect(await checks.shownNickname('Zorg')).toBe('Zorg')
  }
  table.push({ word: 'zorg', moderator: 'mia', at: 0 })
  for (const checks of [one, other]) {
    expect(await checks.suggestable(['zorg', 'chess'])).toEqual(['chess'])
    expect(await checks.faultOfNickname('Zorg')).toBe('insult')
    expect(await checks.mayHave(['chess', 'zorg club'])).toBe(false)
  }
  now = 5_000
  for (const checks of [one, other]) expect(await checks.shownNickname('Zorg')).toBe('Zorg')
  now = 10_000
  for (const checks of [one, other]) expect(await checks.shownNickname('Zorg')).toBe('')
  table.length = 0
  now = 20_000
  for (const checks of [one, other]) expect(await checks.shownNickname('Zorg')).toBe('Zorg')
})

test('a peer sees no name in place of a nickname from before the rules, and after a fault of the records the next match asks again', async () => {
  let fails = true
  const checks = createWordChecks(
    {
      async all() {
        if (fails) throw new Error('no database')
        return []
      },
    },
    { now: () => 0 },
  )
  await expect(checks.shownNickname('Moderator')).rejects.toThrow('no database')
  fails = false
  expect([await checks.shownNickname('Moderator'), await checks.shownNickname('Ada')]).toEqual(['', 'Ada'])
})
