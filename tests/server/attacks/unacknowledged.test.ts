import { expect, onTestFinished, test } from 'vitest'
import { HUB_KEEP_ALIVE_MS } from '#protocol/constants.ts'
import { MINUTE_MS } from '#protocol/durations.ts'
import { ACKNOWLEDGE_WITHIN_MS } from '../../../server/hub/tracking.ts'
import { RawClient } from '../../support/hub/hub-client.ts'
import { hubWithRates } from '../../support/hub/hub-test.ts'

/** A client that pings as the official one does, and acknowledges when it is told to. */
async function pinging(url: string, name: string) {
  const client = await RawClient.connectStateful(url, name)
  onTestFinished(() => client.socket.terminate())
  let ended = false
  client.closed.then(
    () => {
      ended = true
    },
    () => undefined,
  )
  return {
    client,
    isOver: () => ended,
    acknowledge: () => client.send({ type: 8, sequenceId: client.tracked.length }),
    /** Resolves when the hub has read the ping, unless the connection is over. */
    async ping() {
      if (ended) return
      client.send({ type: 6 })
      await client.settled().catch(() => undefined)
    },
  }
}

test('a connection that pings and never acknowledges ends, and one that acknowledges once a minute stays', async () => {
  const { url, clock } = await hubWithRates()
  const [never, slow] = [await pinging(url, 'eve'), await pinging(url, 'ann')]
  let pinged = 0
  for (let passed = 0; passed < 2 * ACKNOWLEDGE_WITHIN_MS; passed += HUB_KEEP_ALIVE_MS) {
    if (passed % MINUTE_MS === 0) slow.acknowledge()
    for (const each of [never, slow]) await each.ping()
    if (!never.isOver()) pinged = passed
    clock.advance(HUB_KEEP_ALIVE_MS)
  }
  await never.client.closed
  expect(pinged).toBeGreaterThanOrEqual(ACKNOWLEDGE_WITHIN_MS - HUB_KEEP_ALIVE_MS)
  expect(slow.isOver()).toBe(false)
  await slow.ping()
})

test('a new socket is no way to hold messages for longer', async () => {
  const { url, clock } = await hubWithRates()
  let client = await RawClient.connectStateful(url, 'eve')
  for (let passed = 0; passed < ACKNOWLEDGE_WITHIN_MS; passed += HUB_KEEP_ALIVE_MS) {
    clock.advance(HUB_KEEP_ALIVE_MS)
    const next = await client.reattach(1).catch(() => null)
    if (!next) break
    client = next
    await client.until(() => client.messages.length > 0).catch(() => undefined)
  }
  clock.advance(HUB_KEEP_ALIVE_MS)
  await client.closed
  await expect(RawClient.dial(client.address, 'eve')).rejects.toThrow('404')
})
