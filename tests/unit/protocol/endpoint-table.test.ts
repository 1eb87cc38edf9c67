import { expect, test } from 'vitest'
import { consoleEndpoints } from '#protocol/console.ts'
import type { Endpoint } from '#protocol/endpoint.ts'
import { type EndpointName, endpoints } from '#protocol/rest.ts'

const table = Object.entries(endpoints) as [EndpointName, Endpoint][]

test.each(table.filter(([, { path }]) => /^cookie\/.*(get|set|delete)$|^cookie\/access-token|\bip\//.test(path)))(
  '%s, about a cookie or an IP address, has a timeout of 10 s',
  (_, call) => expect(call.timeoutMs).toBe(10_000),
)

test('log batches have a timeout of 30 s, and are retried by their store', () => {
  expect(endpoints.addLogs).toMatchObject({ timeoutMs: 30_000 })
  expect(endpoints.addLogs).not.toHaveProperty('again')
})

test('only a POST has a retry rule', () => {
  expect(table.filter(([, { method, again }]) => again && method !== 'POST')).toEqual([])
})

test.each(table.filter(([, { again }]) => again === 'keyed'))(
  '%s, which has an idempotency key, needs a login: a response is repeated to its own user only',
  (_, call) => expect(call.login).toBe(true),
)

/** Returns the query fields of an endpoint. */
function queryFieldsOf({ query }: Endpoint): [string, unknown][] {
  return query && 'entries' in query ? Object.entries(query.entries as Record<string, unknown>) : []
}

const named = [...table, ...(Object.entries(consoleEndpoints) as [string, Endpoint][])]

test('no URL of a request needs to name a person', () => {
  const personal = named.flatMap(([name, call]) =>
    queryFieldsOf(call).flatMap(([field, schema]) =>
      /e-?mail|name|text/i.test(field) ? [{ name, field, schema }] : [],
    ),
  )
  expect(personal.map(({ name }) => name)).toEqual(['readBlockStatus', 'readBlockList', 'readMatchedIds'])
  for (const { schema } of personal) expect(schema).toMatchObject({ type: 'optional' })
})
