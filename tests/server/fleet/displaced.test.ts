import { expect, onTestFinished, test } from 'vitest'
import type { FleetEvents } from '../../../server/fleet/fleet.ts'
import { FleetRouter } from '../../../server/fleet/fleet-router.ts'
import { MatchQueue } from '../../../server/matching/rules/match-queue.ts'
import { fakeClock } from '../../support/fake-clock.ts'
import { quietFleet } from '../../support/fleet/quiet-fleet.ts'
import { RawClient } from '../../support/hub/hub-client.ts'
import { hubWorld, queueOptionsOf, startHub } from '../../support/hub/hub-fakes.ts'

const ORDER = 5

test('a user who has connected in another region leaves, unless the connection here is newer', async () => {
  const world = hubWorld(fakeClock(1_000_000))
  const { clock, log, matchRecords } = world.deps
  let events: FleetEvents | undefined
  const fleet = {
    ...quietFleet({ queue: new MatchQueue(queueOptionsOf(world.deps)), matchRecords }),
    start: async (given: FleetEvents) => {
      events = given
    },
    attach: async () => ({ home: 'here', order: ORDER, isKnown: false }),
  }
  const server = await startHub({ ...world.deps, router: new FleetRouter({ fleet, clock, log }) })
  onTestFinished(server.stop)
  const [ann, bob] = [await RawClient.connect(server.url, 'ann', 'visit=a'), await RawClient.connect(server.url, 'bob')]
  for (const one of [ann, bob]) expect(await one.join()).toBeNull()
  const { session } = await ann.matched()

  events?.displaced('ann', ORDER - 1, 'b')
  expect(await ann.invoke('HandleTyping', session, bob.id)).toBeNull()
  events?.displaced('ann', ORDER + 1, 'b')
  expect((await ann.close()).error).toBe('replaced')
  expect(await bob.event('SessionTerminated')).toEqual([session])
})
