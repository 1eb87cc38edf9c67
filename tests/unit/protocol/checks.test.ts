import fc from 'fast-check'
import * as v from 'valibot'
import { expect, test } from 'vitest'
import {
  isAnything,
  isFlag,
  isLink,
  isListOf,
  isNullOr,
  isNumber,
  isObjectOf,
  isOneOf,
  isRecordOf,
  isText,
} from '#protocol/checks.ts'
import { errorCodes, isErrorShape } from '#protocol/errors.ts'
import { isLanguage, languages } from '#protocol/languages.ts'
import { isPageConfig } from '#protocol/page-config.ts'
import { readConfig } from '../../../server/config/config.ts'
import { pageConfigOf } from '../../../server/config/page-config.ts'

/** Each check, and the schema of the library that it stands for. */
const pairs = [
  [isText, v.string()],
  [isFlag, v.boolean()],
  [isNumber, v.number()],
  [isAnything, v.unknown()],
  [isLanguage, v.picklist(languages)],
  [isNullOr(isText), v.nullable(v.string())],
  [isListOf(isText, 2), v.pipe(v.array(v.string()), v.maxLength(2))],
  [isObjectOf({ a: isText, b: isNumber }), v.object({ a: v.string(), b: v.number() })],
  [
    isErrorShape,
    v.object({
      code: v.picklist(errorCodes),
      message: v.string(),
      details: v.record(v.string(), v.union([v.string(), v.number(), v.boolean()])),
    }),
  ],
] as const

const scalar = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    undefined,
    Number.NaN,
    Number.POSITIVE_INFINITY,
    '',
    'en',
    'timeout',
    '__proto__',
    true,
  ),
  fc.string(),
  fc.double(),
)
const value = fc.oneof(
  fc.anything(),
  scalar,
  fc.array(scalar, { maxLength: 3 }),
  fc.record({ a: scalar, b: scalar }, { requiredKeys: [] }),
  fc.record(
    { code: scalar, message: scalar, details: fc.dictionary(fc.string(), scalar, { maxKeys: 3 }) },
    { requiredKeys: [] },
  ),
)

test('a check accepts what the schema accepts, and nothing else', () => {
  fc.assert(
    fc.property(value, (given) => {
      for (const [check, schema] of pairs) {
        // An array is an object to the library.
        if (!Array.isArray(given) || given.length > 0) expect(check(given)).toBe(v.is(schema, given))
      }
    }),
    { numRuns: 2_000 },
  )
})

test('lists and records have a limit', () => {
  const many = withKeys(33)
  expect(isRecordOf(isText, 32)(many)).toBe(false)
  expect(isRecordOf(isText, 33)(many)).toBe(true)
  expect(isListOf(isText, 1)(['a', 'b'])).toBe(false)
  expect(isOneOf(['a'])('b')).toBe(false)
})

function withKeys(count: number): Record<string, string> {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, '']))
}

test.each(['https://store.example/a?b', 'http://localhost:3000'])('%s is a link', (text) => {
  expect(isLink(text)).toBe(true)
})

test.each(['', 'store.example', 'javascript:alert(1)', ' https://store.example', null])('%s is no link', (text) => {
  expect(isLink(text)).toBe(false)
})

test('the configuration that the server writes is accepted, and none that lacks a field or has another type in it', () => {
  const config: unknown = JSON.parse(JSON.stringify(pageConfigOf(readConfig({}))))
  expect(isPageConfig(config)).toBe(true)
  const paths = (tree: unknown, at: string[] = []): string[][] =>
    typeof tree === 'object' && tree !== null && !Array.isArray(tree)
      ? Object.entries(tree).flatMap(([name, below]) => [[...at, name], ...paths(below, [...at, name])])
      : []
  expect(paths(config).length).toBeGreaterThan(15)
  for (const path of paths(config)) {
    for (const wrong of [undefined, Symbol('other')]) {
      const copy = structuredClone(config)
      const parent = path.slice(0, -1).reduce<unknown>((tree, name) => (tree as Record<string, unknown>)[name], copy)
      ;(parent as Record<string, unknown>)[path.at(-1) ?? ''] = wrong
      expect(isPageConfig(copy), path.join('.')).toBe(false)
    }
  }
  expect(isPageConfig(null)).toBe(false)
})
