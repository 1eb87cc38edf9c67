import { expect, test } from 'vitest'
import { consoleEndpoints } from '#protocol/console.ts'
import type { Endpoint } from '#protocol/endpoint.ts'
import { type EndpointName, endpoints } from '#protocol/rest.ts'

const table = Object.entries(endpoints) as [EndpointName, Endpoint][]

test.each(table.filter(([, { path }]) => /^cookie\/.*(get|set|delete)$|^cookie\/access-token|\bip\//.test(path)))(
  '%s, of a cookie or of an IP address, is given 10 s',
  (_, call) => expect(call.timeoutMs).toBe(10_000),
)

test('log batches are given 30 s, and are sent again by those who keep them', () => {
  expect(endpoints.addLogs).toMatchObject({ timeoutMs: 30_000 })
  expect(endpoints.addLogs).not.toHaveProperty('again')
})

test('nothing but a POST says how it may be sent again', () => {
  expect(table.filter(([, { method, again }]) => again && method !== 'POST')).toEqual([])
})

test.each(table.filter(([, { again }]) => again === 'keyed'))(
  '%s, which carries a key, needs a login: nobody gets the answer of somebody else',
  (_, call) => expect(call.login).toBe(true),
)

/** The fields that a request of this call may carry in its address. */
function queryFieldsOf({ query }: Endpoint): [string, unknown][] {
  return query && 'entries' in query ? Object.entries(query.entries as Record<string, unknown>) : []
}

const named = [...table, ...(Object.entries(consoleEndpoints) as [string, Endpoint][])]

test('no address of a request needs to name a person', () => {
  const personal = named.flatMap(([name, call]) =>
    queryFieldsOf(call).flatMap(([field, schema]) =>
      /e-?mail|name|text/i.test(field) ? [{ name, field, schema }] : [],
    ),
  )
  expect(personal.map(({ name }) => name)).toEqual(['readBlockStatus', 'readBlockList', 'readMatchedIds'])
  for (const { schema } of personal) expect(schema).toMatchObject({ type: 'optional' })
})
