import { pino } from 'pino'
import { expect, test } from 'vitest'
import { DAY_MS } from '#protocol/durations.ts'
import { createSecurityLog, withHubRefusals } from '../../../../server/operations/security-log.ts'
import { keyedDigest } from '../../../../server/platform/crypto.ts'
import { fakeClock } from '../../../support/fake-clock.ts'
import { noMetrics } from '../../../support/no-metrics.ts'

function open() {
  const lines: Record<string, unknown>[] = []
  const clock = fakeClock(1_000 * DAY_MS)
  const counts = new Map<string, number>()
  const log = pino({ base: null, timestamp: false }, { write: (text) => void lines.push(JSON.parse(text)) })
  const security = createSecurityLog({
    log,
    clock,
    digest: keyedDigest('key of this test'),
    counted: (event) => counts.set(event, (counts.get(event) ?? 0) + 1),
  })
  return { security, clock, lines, counts }
}

test('a line contains ids and a digest of the network, never the address', () => {
  const { security, lines } = open()
  security.record({
    event: 'forbidden',
    account: 'a-1',
    address: '2001:db8:1:2:3::4',
    route: 'GET /x',
    code: 'forbidden',
  })
  expect(lines).toEqual([
    {
      level: 40,
      event: 'forbidden',
      account: 'a-1',
      from: expect.stringMatching(/^[\w-]{16}$/),
      route: 'GET /x',
      code: 'forbidden',
      msg: 'security event',
    },
  ])
})

test('one network, also an IPv6 /64, has one digest a day', () => {
  const { security, clock, lines } = open()
  const digestOf = (address: string) => {
    security.record({ event: 'forbidden', address })
    return lines.at(-1)?.from
  }
  const first = digestOf('2001:db8:1:2::1')
  expect(digestOf('2001:db8:1:2:ffff::9')).toBe(first)
  expect(digestOf('2001:db8:1:3::1')).not.toBe(first)
  expect(digestOf('::ffff:192.0.2.1')).toBe(digestOf('192.0.2.1'))
  clock.advance(DAY_MS)
  expect(digestOf('2001:db8:1:2::1')).not.toBe(first)
})

test('one source writes five lines, then one a minute; the rest is counted and the count written once', () => {
  const { security, clock, lines, counts } = open()
  for (let count = 0; count < 100; count += 1) security.record({ event: 'rate-limited', address: '192.0.2.1' })
  security.record({ event: 'rate-limited', address: '192.0.2.2' })
  expect(lines).toHaveLength(6)
  expect(counts.get('rate-limited')).toBe(101)
  clock.advance(60_000)
  expect(lines.slice(6)).toEqual([
    { level: 40, event: 'rate-limited', suppressed: 95, msg: 'security events not written' },
  ])
  expect(clock.waiting()).toBe(0)
  security.record({ event: 'rate-limited', address: '192.0.2.1' })
  expect(lines).toHaveLength(8)
})

test('10,000 sources write at most 60 lines of one event at once, and other events are still written', () => {
  const { security, lines } = open()
  for (let count = 0; count < 10_000; count += 1) security.record({ event: 'sign-in-refused', account: `a-${count}` })
  expect(lines).toHaveLength(60)
  security.record({ event: 'refresh-token-reused', account: 'a-1' })
  expect(lines).toHaveLength(61)
})

test('stop writes the counts and leaves no timer', () => {
  const { security, clock, lines } = open()
  for (let count = 0; count < 7; count += 1) security.record({ event: 'hub-slowed', account: 'a' })
  security.stop()
  expect(lines.at(-1)).toMatchObject({ event: 'hub-slowed', suppressed: 2 })
  expect(clock.waiting()).toBe(0)
})

test('refusals of the hub always count as metrics, and as events if the pages do not cause them', () => {
  const noted: unknown[] = []
  const counted: unknown[] = []
  const metrics = withHubRefusals(
    { ...noMetrics, refused: (at, reason) => counted.push(`${at} ${reason}`) },
    { record: ({ event, account, code }) => noted.push([event, account, code]) },
  )
  metrics.refused('socket', '401')
  metrics.refused('socket', '503')
  metrics.refused('socket', 'too-many-requests', 'a-1')
  metrics.refused('invocation', 'too-many-requests', 'a-1')
  metrics.refused('invocation', 'forbidden', 'a-2')
  metrics.refused('invocation', 'not-in-match', 'a-2')
  expect(counted).toHaveLength(6)
  expect(noted).toEqual([
    ['hub-slowed', 'a-1', 'too-many-requests'],
    ['hub-slowed', 'a-1', 'too-many-requests'],
    ['hub-invocation-refused', 'a-2', 'forbidden'],
  ])
})
