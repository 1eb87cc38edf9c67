import { describe, expect, onTestFinished, test } from 'vitest'
import { accessOf } from '../../support/attacks/hub-access.ts'
import { overfillPeer } from '../../support/attacks/oversized-signalling.ts'
import { startHubs } from '../../support/fleet/many-servers.ts'
import { hubWithRates } from '../../support/hub/hub-test.ts'
import { startRedis } from '../../support/servers/redis.ts'

describe('a peer that sends too much', () => {
  test('100 candidates of 30 KB: all are refused as too long', async () => {
    const { url } = await hubWithRates()
    const outcome = await overfillPeer(accessOf(url, 'eve'), accessOf(url, 'ann'), 'candidates', 100, 29_900)
    expect(outcome).toEqual({ taken: 0, refused: { 'bad-request': 100 }, victim: 'connected' })
  })

  test.each([
    { kind: 'descriptions', count: 60, size: 28_000 },
    { kind: 'chat', count: 700, size: 2_000 },
  ] as const)(
    '$count $kind of $size characters: the sender is refused, the receiver stays connected',
    async (attack) => {
      const { url } = await hubWithRates()
      const { kind, count, size } = attack
      const outcome = await overfillPeer(accessOf(url, 'eve'), accessOf(url, 'ann'), kind, count, size)
      expect(outcome.victim).toBe('connected')
      expect(outcome.taken * size).toBeLessThan(320 * 1024)
      expect(outcome.refused['not-delivered']).toBe(count - outcome.taken)
    },
  )
})

test('600 candidates of 1,900 characters: 40 are relayed, and the receiver stays connected', async () => {
  const { url } = await hubWithRates()
  const outcome = await overfillPeer(accessOf(url, 'eve'), accessOf(url, 'ann'), 'candidates', 600, 1_900)
  expect(outcome).toEqual({ taken: 600, refused: {}, victim: 'connected' })
})

test('over two servers, too, the sender is refused and the receiver stays connected', async () => {
  const redis = await startRedis()
  onTestFinished(redis.stop)
  const { first, second } = await startHubs(2, redis)
  const outcome = await overfillPeer(
    accessOf(first.url, 'eve'),
    accessOf(second.url, 'ann'),
    'descriptions',
    60,
    28_000,
  )
  expect(outcome).toEqual({ taken: 10, refused: { 'not-delivered': 50 }, victim: 'connected' })
})
