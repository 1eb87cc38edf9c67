import { expect, onTestFinished, test } from 'vitest'
import { accessOf } from '../../support/attacks/hub-access.ts'
import { reattachAgain } from '../../support/attacks/reattach-flood.ts'
import { RawClient } from '../../support/hub/hub-client.ts'
import { startHubWorld } from '../../support/hub/hub-fakes.ts'

test('each re-attach counts as a new connection, and another user can connect meanwhile', async () => {
  const { url, clock, stop } = await startHubWorld()
  onTestFinished(stop)
  // The first of the 60 was the negotiation.
  expect(await reattachAgain(accessOf(url, 'eve'), 100)).toEqual({ 101: 59, 429: 41 })
  await RawClient.connectStateful(url, 'ann')
  clock.advance(10_000)
  expect(await reattachAgain(accessOf(url, 'eve'), 30)).toEqual({ 101: 19, 429: 11 })
})

test('a network that breaks every second for ten minutes stays within the limit', async () => {
  const { url, clock, stop } = await startHubWorld()
  onTestFinished(stop)
  let client = await RawClient.connectStateful(url, 'ann')
  await client.settled()
  const received = client.tracked.length
  for (let seconds = 0; seconds < 600; seconds += 1) {
    clock.advance(1_000)
    client = await client.reattach(2)
    // As the official client does within a second.
    client.send({ type: 8, sequenceId: received })
  }
  await client.settled()
})
