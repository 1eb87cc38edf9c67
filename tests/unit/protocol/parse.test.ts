import { readFileSync } from 'node:fs'
import * as v from 'valibot'
import { expect, test } from 'vitest'
import { listOf, nonEmptyListOf, parse, recordOf, tryParse } from '#protocol/parse.ts'
import { endpoints } from '#protocol/rest.ts'
import { parseMessage } from '../../../server/hub/messages.ts'
import { sourcesBelow } from '../../support/sources.ts'

/** Matches code that validates past the first issue, or reads items before it has checked their number. */
const unbounded =
  /\bv\s*\.\s*(?:parse|safeParse|parser|safeParser|is|assert|parseAsync|safeParseAsync|parserAsync|safeParserAsync|array|record|map|set|looseObject|objectWithRest|looseTuple|tupleWithRest|arrayAsync|recordAsync)\b(?!\w)/
/** Matches an alias of one of these, which would escape the pattern above. */
const hiddenImport = /import\s+(?!\* as v |type \* as v )[^;\n]*from 'valibot'/

const MODULE = 'protocol/parse.ts'
const folders = ['protocol', 'server', 'src', 'workers', 'scripts']

function faultsOf(text: string): string[] {
  return text.split('\n').filter((line) => unbounded.test(line) || hiddenImport.test(line))
}

test('external data is validated by protocol/parse.ts only', () => {
  const files = folders.flatMap(sourcesBelow).filter((file) => file !== MODULE)
  expect(files.length).toBeGreaterThan(300)
  const found = files.flatMap((file) => faultsOf(readFileSync(file, 'utf8')).map((line) => `${file}: ${line.trim()}`))
  expect(found).toEqual([])
})

test.each([
  'const parsed = v.safeParse(schema, value)',
  'return v.parse(schema, value)',
  'if (!v.is(schema, value)) return',
  'json: v.pipe(v.array(entry), v.maxLength(1_000)),',
  'const details = v.record(v.string(), v.string())',
  "import { array } from 'valibot'",
  "import * as valibot from 'valibot'",
])('the search finds %s', (line) => {
  expect(faultsOf(line)).toEqual([line])
})

/** Returns a list that counts how often an item is read. */
function counted(items: unknown[]): { list: unknown[]; reads: () => number } {
  let reads = 0
  const list = new Proxy(items, {
    get(target, key) {
      if (typeof key === 'string' && /^\d+$/.test(key)) reads += 1
      return Reflect.get(target, key)
    },
  })
  return { list, reads: () => reads }
}

test('a list that is too long is rejected before an item is read', () => {
  const { list, reads } = counted(Array.from({ length: 1_001 }, () => ({})))
  const parsed = tryParse(listOf(v.object({ name: v.string() }), 1_000), list)
  expect(parsed.issues?.map(({ message }) => message)).toEqual(['A list has at most 1000 entries'])
  expect(reads()).toBe(0)
  expect(tryParse(nonEmptyListOf(v.string(), 3), list).success).toBe(false)
  expect(reads()).toBe(0)
})

test('validation stops at the first invalid item', () => {
  const { list, reads } = counted(Array.from({ length: 1_000 }, () => ({})))
  const parsed = tryParse(listOf(v.object({ name: v.string(), size: v.number() }), 1_000), list)
  expect(parsed.issues).toHaveLength(1)
  expect(reads()).toBe(1)
  expect(() => parse(listOf(v.string(), 3), [1, 2, 3])).toThrow('Expected string but received 1')
})

test('an object with too many keys is rejected before a value is read', () => {
  let reads = 0
  const values = new Proxy(Object.fromEntries(Array.from({ length: 100 }, (_, n) => [`key${n}`, n])), {
    get(target, key) {
      reads += 1
      return Reflect.get(target, key)
    },
  })
  expect(tryParse(recordOf(v.string(), 10), values).issues).toHaveLength(1)
  expect(reads).toBe(0)
  expect(parse(recordOf(v.number(), 100), values)).toMatchObject({ key99: 99 })
})

test('a key like __proto__ changes no prototype', () => {
  const value: unknown = JSON.parse('{"__proto__":{"admin":true},"constructor":"x","kept":"y"}')
  const parsed = parse(recordOf(v.unknown(), 10), value)
  expect(Object.getPrototypeOf(parsed)).toBe(Object.prototype)
  expect(Object.keys(parsed)).toEqual(['kept'])
})

test('a hub message with thousands of streams is malformed', () => {
  const streamIds = Array.from({ length: 5_000 }, () => '1')
  const message = { type: 1, target: 'x', arguments: [], streamIds }
  expect(parseMessage(JSON.stringify(message))).toBeNull()
  expect(parseMessage(JSON.stringify({ ...message, streamIds: ['1'] }))).toMatchObject({ kind: 'invocation' })
})

test('a log batch that is too long is rejected with its limit, for any content', () => {
  const parsed = tryParse(
    endpoints.addLogs.json,
    Array.from({ length: 174_000 }, () => ({})),
  )
  expect(parsed.issues?.map(({ message }) => message)).toEqual(['A log batch has at most 1000 entries'])
})
