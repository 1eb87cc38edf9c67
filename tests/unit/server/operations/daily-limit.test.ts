import { expect, test } from 'vitest'
import { DAY_MS } from '#protocol/durations.ts'
import { CLIENT_LOGS, createDailyLimits, EXPERIENCES } from '../../../../server/operations/rules/daily-limit.ts'
import { LocalCounts } from '../../../../server/platform/rules/counts.ts'

function limits() {
  const clock = { at: 0 }
  return { clock, mayAdd: createDailyLimits(new LocalCounts(() => clock.at)) }
}

test('an account reaches its own limit, alone, until the next day', async () => {
  const { clock, mayAdd } = limits()
  const eve = { accountId: 'eve', address: '192.0.2.7' }
  for (let sent = 0; sent < EXPERIENCES.ofSender; sent += 1) expect(await mayAdd(EXPERIENCES, eve, 1)).toBe(true)
  expect(await mayAdd(EXPERIENCES, eve, 1)).toBe(false)
  expect(await mayAdd(CLIENT_LOGS, eve, 1)).toBe(true)
  expect(await mayAdd(EXPERIENCES, { ...eve, accountId: 'ann' }, 1)).toBe(true)
  clock.at = DAY_MS
  expect(await mayAdd(EXPERIENCES, eve, 1)).toBe(true)
})

test('many accounts of one network reach its limit, and other networks go on', async () => {
  const { mayAdd } = limits()
  const accounts = Array.from({ length: 12 }, (_, n) => ({ accountId: `eve ${n}`, address: `2001:db8:1:${n}::1` }))
  const taken = await Promise.all(accounts.map((eve) => mayAdd(EXPERIENCES, eve, EXPERIENCES.ofSender)))
  expect(taken.filter(Boolean)).toHaveLength(10)
  expect(await mayAdd(EXPERIENCES, { accountId: 'ann', address: '2001:db8:2::1' }, 1)).toBe(true)
})

test('what is over the limit of an account does not count in its network', async () => {
  const { mayAdd } = limits()
  const eve = { accountId: 'eve', address: '192.0.2.7' }
  for (let n = 0; n < 100; n += 1) await mayAdd(CLIENT_LOGS, eve, CLIENT_LOGS.ofSender)
  expect(await mayAdd(CLIENT_LOGS, { accountId: 'ann', address: '192.0.2.8' }, CLIENT_LOGS.ofSender)).toBe(true)
})

test('without a login, an IPv4 address or a /64 is one sender', async () => {
  const { mayAdd } = limits()
  const from = (address: string) => mayAdd(CLIENT_LOGS, { accountId: null, address }, CLIENT_LOGS.ofSender)
  expect([await from('2001:db8::1'), await from('2001:db8::2'), await from('2001:db8:0:1::1')]).toEqual([
    true,
    false,
    true,
  ])
})
