import { expect, test } from 'vitest'
import type { Call } from '#protocol/call.ts'
import { type CallName, calls } from '#protocol/rest.ts'

const table = Object.entries(calls) as [CallName, Call][]

test.each(table.filter(([, { path }]) => /^cookie\/.*(get|set|delete)$|^cookie\/access-token|\bip\//.test(path)))(
  '%s, of a cookie or of an IP address, is given 10 s',
  (_, call) => expect(call.timeoutMs).toBe(10_000),
)

test('log batches are given 30 s, and are sent again by those who keep them', () => {
  expect(calls.addLogs).toMatchObject({ timeoutMs: 30_000 })
  expect(calls.addLogs).not.toHaveProperty('again')
})

test('nothing but a POST says how it may be sent again', () => {
  expect(table.filter(([, { method, again }]) => again && method !== 'POST')).toEqual([])
})

test.each(table.filter(([, { again }]) => again === 'keyed'))(
  '%s, which carries a key, needs a login: nobody gets the answer of somebody else',
  (_, call) => expect(call.login).toBe(true),
)
