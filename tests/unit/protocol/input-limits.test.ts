import * as v from 'valibot'
import { expect, test } from 'vitest'
import { consoleEndpoints } from '#protocol/console.ts'
import { CHAT_DELIVERY_MS } from '#protocol/constants.ts'
import type { Endpoint } from '#protocol/endpoint.ts'
import { hubMethods } from '#protocol/hub.ts'
import { listOf } from '#protocol/parse.ts'
import { endpoints } from '#protocol/rest.ts'

/** The parts of a schema that the search below reads. */
type Part = {
  type: string
  pipe?: readonly Part[]
  requirement?: unknown
  wrapped?: Part
  item?: Part
  entries?: Record<string, Part>
  items?: readonly Part[]
  options?: readonly unknown[]
}

function asPart(schema: v.GenericSchema<unknown, unknown>): Part {
  return schema as unknown as Part
}

/** True for a pattern that no long text matches: it has both anchors and no unbounded repetition. */
function isBounded({ source }: RegExp): boolean {
  return /^\^.*\$$/.test(source) && !/(?<!\\)[+*]|\{\d+,\}/.test(source.replace(/\[[^\]]*\]/g, 'x'))
}

function limitsText(part: Part): boolean {
  return (
    part.type === 'max_length' ||
    part.type === 'iso_timestamp' ||
    (part.requirement instanceof RegExp && isBounded(part.requirement))
  )
}

/** Steps whose cost grows with the length of the text, unless a limit comes before them. */
const costly = new Set(['regex', 'rfc_email', 'check', 'transform', 'parse_json', 'trim'])

/** Returns the paths of texts without a length limit, or with a costly step before it. */
function unlimited(part: Part, path: string): string[] {
  const { pipe, wrapped, entries, items, options } = part
  if (pipe) {
    const [first, ...steps] = pipe
    if (first?.type !== 'string' && first?.type !== 'optional') return pipe.flatMap((one) => unlimited(one, path))
    const limit = steps.findIndex(limitsText)
    // Trimming is one pass over a body that has a limit itself.
    const early = steps.slice(0, limit).filter(({ type }) => costly.has(type) && type !== 'trim')
    return limit === -1 || early.length > 0 ? [path] : []
  }
  if (wrapped) return unlimited(wrapped, path)
  if (entries) return Object.entries(entries).flatMap(([name, one]) => unlimited(one, `${path}.${name}`))
  if (items) return items.flatMap((one, n) => unlimited(one, `${path}.${n}`))
  if (part.item) return unlimited(part.item, `${path}[]`)
  if (part.type === 'union')
    return (options ?? []).flatMap((one) => unlimited(asPart(one as v.GenericSchema<unknown, unknown>), path))
  return part.type === 'string' ? [path] : []
}

const tables: [string, Endpoint][] = [...Object.entries(endpoints), ...Object.entries(consoleEndpoints)]

test.each(tables)('every text that %s accepts has a length limit', (name, { query, json, form }) => {
  const taken = [query, json, form?.fields].filter((schema) => schema !== undefined)
  expect(taken.flatMap((schema) => unlimited(asPart(schema), name))).toEqual([])
})

test.each(Object.entries(hubMethods))(
  'every text that %s accepts has a length limit',
  (name, { arguments: schema }) => {
    expect(unlimited(asPart(schema), name)).toEqual([])
  },
)

test('the search finds a text without a limit, and one with a costly step before its limit', () => {
  const schema = v.object({
    any: v.string(),
    late: v.pipe(v.string(), v.rfcEmail(), v.maxLength(3)),
    list: listOf(v.optional(v.string()), 3),
    open: v.pipe(v.string(), v.regex(/^a+$/)),
    short: v.pipe(v.string(), v.maxLength(3)),
    exact: v.pipe(v.string(), v.regex(/^[+*]{1,3}$/)),
  })
  expect(unlimited(asPart(schema), 'x')).toEqual(['x.any', 'x.late', 'x.list[]', 'x.open'])
})

test('the time limit of a chat message includes the delivery timeout of the hub', () => {
  const { SendChatMessageToPeer, HandleOffer } = hubMethods
  expect(SendChatMessageToPeer.timeLimitMs).toBe(CHAT_DELIVERY_MS + HandleOffer.timeLimitMs)
})
