import fc from 'fast-check'
import { expect, test } from 'vitest'
import { tryParse } from '#protocol/parse.ts'
import { type PartStatus, readServiceStatus, type ServiceStatus } from '#protocol/service-status.ts'
import { loadTexts } from '../../../src/platform/texts/catalogue.ts'
import { afterFailure, type SeenStatus, serviceParts, summaryOf } from '../../../src/site/rules/service-status.ts'

const works: PartStatus = { state: 'works' }
const trouble: PartStatus = { state: 'trouble', since: 1 }
const down: PartStatus = { state: 'down', since: 1 }
const all = (one: PartStatus): ServiceStatus => ({ signIn: one, matching: one, calls: one, pictures: one })

test.each([
  [all(works), 'works'],
  [{ ...all(works), matching: trouble }, 'trouble'],
  [{ ...all(trouble), signIn: down }, 'part-down'],
  [{ ...all(down), pictures: trouble }, 'part-down'],
  [all(down), 'all-down'],
] as const)('%j is summed up as %s', (status, summary) => {
  expect(summaryOf(status)).toBe(summary)
})

const part = fc.constantFrom(works, trouble, down)
const statuses = fc.record({ signIn: part, matching: part, calls: part, pictures: part })

test('everything is said to work only if each part does', () => {
  fc.assert(
    fc.property(statuses, (status) => {
      const isFine = serviceParts.every((name) => status[name].state === 'works')
      expect(summaryOf(status) === 'works').toBe(isFine)
    }),
  )
})

test.each(['en', 'es'] as const)(
  'each state of each part has its own words in %s, and what to do',
  async (language) => {
    const texts = await loadTexts(language, 'service-status')
    const words = serviceParts.flatMap((name) =>
      (['works', 'trouble', 'down'] as const).map((state) => texts[`service-status.${name}.${state}`]),
    )
    expect(words).not.toContain(undefined)
    expect(new Set(words).size).toBe(words.length)
    for (const name of serviceParts)
      for (const state of ['trouble', 'down']) expect(texts).toHaveProperty([`service-status.${name}.${state}.help`])
  },
)

test('the service is unreachable since the first failure in a row, and until it answers', () => {
  const read: SeenStatus = { what: 'read', status: all(works), at: 10 }
  const first = afterFailure(read, 'network-error', 20)
  expect(first).toEqual({ what: 'unreachable', since: 20 })
  expect(afterFailure(first, 'server-unreachable', 50)).toEqual({ what: 'unreachable', since: 20 })
  expect(afterFailure({ what: 'reading' }, 'unavailable', 30)).toEqual({ what: 'unreachable', since: 30 })
})

test('a service that asks to wait is there', () => {
  const read: SeenStatus = { what: 'read', status: all(down), at: 10 }
  expect(afterFailure(read, 'too-many-requests', 20)).toBe(read)
})

test('a trouble without its beginning is no answer of ours', () => {
  const { response } = readServiceStatus
  expect(tryParse(response, all(trouble)).success).toBe(true)
  expect(tryParse(response, { ...all(works), calls: { state: 'down' } }).success).toBe(false)
  expect(tryParse(response, { ...all(works), calls: { state: 'broken', since: 1 } }).success).toBe(false)
})
