import { expect, test } from 'vitest'
import type { Connection } from '../../../../server/hub/connection.ts'
import { HELD_BY_ALL_LIMIT, OpenConnections } from '../../../../server/hub/open-connections.ts'
import { ReplayBuffer } from '../../../../server/hub/replay-buffer.ts'
import { ACKNOWLEDGE_WITHIN_MS, Tracking } from '../../../../server/hub/tracking.ts'

function connections(held: Record<string, { bytes: number; since: number }>) {
  const cut: string[] = []
  const open = new OpenConnections()
  for (const [name, { bytes, since }] of Object.entries(held)) {
    const fake = {
      accountId: name,
      lastReceivedAt: 0,
      heldBytes: bytes,
      check: () => undefined,
      awaitsSince: () => since,
      abandon: () => void cut.push(name),
    }
    // What OpenConnections uses of a connection.
    open.add(fake as unknown as Connection, 0)
  }
  open.check(1_000, () => undefined)
  return cut
}

const HALF = HELD_BY_ALL_LIMIT / 2

test('above the budget of all connections, those are cut that have acknowledged nothing for the longest time', () => {
  const held = {
    young: { bytes: HALF, since: 900 },
    oldest: { bytes: 10, since: 100 },
    idle: { bytes: 0, since: 0 },
    old: { bytes: HALF, since: 500 },
    newest: { bytes: 20, since: 990 },
  }
  expect(connections(held)).toEqual(['oldest', 'old'])
})

test('within the budget nothing is cut', () => {
  expect(connections({ one: { bytes: HALF, since: 0 }, other: { bytes: HALF, since: 0 } })).toEqual([])
})

test('each message counts with what it takes beside its text', () => {
  const buffer = new ReplayBuffer()
  for (let n = 0; n < 10; n += 1) buffer.add('x', null)
  expect(buffer.heldBytes).toBe(10 + 10 * 200)
  buffer.next()
  buffer.acknowledge(10)
  expect(buffer.heldBytes).toBe(0)
})

test('a client that acknowledges what was sent is never late, however much follows', () => {
  const tracking = new Tracking()
  tracking.take({ kind: 'ping' }, 0)
  for (let now = 0; now < 10 * ACKNOWLEDGE_WITHIN_MS; now += 1_000) {
    for (let n = 0; n < 50; n += 1) tracking.outgoing.add('x'.repeat(1_000), null)
    tracking.next()
    expect(now - tracking.awaitsSince(now)).toBeLessThan(ACKNOWLEDGE_WITHIN_MS)
    if (now % 60_000 === 0) tracking.take({ kind: 'ack', id: tracking.outgoing.lastSentId }, 0)
  }
})
