import { expect, onTestFinished, test } from 'vitest'
import type { Fleet, FleetEvents } from '../../../server/fleet/fleet.ts'
import { FleetRouter } from '../../../server/fleet/fleet-router.ts'
import type { ServerMessage } from '../../../server/fleet/server-messages.ts'
import { event } from '../../../server/hub/messages.ts'
import { MatchQueue } from '../../../server/matching/rules/match-queue.ts'
import { fakeClock } from '../../support/fake-clock.ts'
import { quietFleet } from '../../support/fleet/quiet-fleet.ts'
import { RawClient } from '../../support/hub/hub-client.ts'
import { hubWorld, queueOptionsOf, startHub } from '../../support/hub/hub-fakes.ts'
import { StateChanges } from '../../support/state-changes.ts'

/** A hub whose users have their first home on server `one`, then on server `two`. */
async function hubWithTwoHomes() {
  const world = hubWorld(fakeClock(1_000_000))
  const { clock, log, matchRecords } = world.deps
  const sent: { to: string; message: Partial<ServerMessage> }[] = []
  const changes = new StateChanges()
  let events: FleetEvents | undefined
  let order = 0
  const fleet: Fleet = {
    ...quietFleet({ queue: new MatchQueue(queueOptionsOf(world.deps)), matchRecords }),
    start: async (given) => {
      events = given
    },
    attach: async () => {
      order += 1
      return { home: order === 1 ? 'one' : 'two', order, isKnown: order > 1 }
    },
    send(to, message) {
      sent.push({ to, message })
      changes.notify()
    },
  }
  const forgotten: (string | null)[] = []
  const server = await startHub({
    ...world.deps,
    router: new FleetRouter({ fleet, clock, log }),
    forgetLogins: (accountId) => void forgotten.push(accountId),
  })
  onTestFinished(server.stop)
  if (!events) throw new Error('the router did not start the fleet')
  const sentTo = (server: string, kind: ServerMessage['t']) =>
    sent.flatMap(({ to, message }) => (to === server && message.t === kind ? [message] : []))
  const until = (server: string, kind: ServerMessage['t']) => changes.until(() => sentTo(server, kind).length > 0)
  return { url: server.url, events, sentTo, until, forgotten }
}

test('a new home server is not told of what the dead one had sent, although both count from 1', async () => {
  const { url, events, sentTo, until } = await hubWithTwoHomes()
  const ann = await RawClient.open(url, 'ann', 'useStatefulReconnect=true&')
  ann.send({ protocol: 'json', version: 2 }, { type: 6 })
  await until('one', 'arrive')
  const [arrived] = sentTo('one', 'arrive')
  const id = arrived && 'line' in arrived ? arrived.line?.id : undefined
  const sendFrom = (server: string, text: string) =>
    events.message(server, { t: 'event', id, n: 1, text: event('OnChatMessage', ['m', 'c', text]) })

  sendFrom('one', 'from the dead server')
  events.died('one')
  await until('two', 'arrive')
  sendFrom('two', 'from the new server')
  await ann.event('OnChatMessage', 2)

  // The invocation follows the acknowledgement, so it shows that the acknowledgement was handled.
  ann.send(
    { type: 8, sequenceId: 1 },
    { type: 1, target: 'OnMatchedSessionTerminationRequested', arguments: ['m', 'c'] },
  )
  await until('two', 'invoke')
  expect(sentTo('two', 'settled')).toEqual([])

  ann.send({ type: 8, sequenceId: 2 })
  await until('two', 'settled')
  expect(sentTo('two', 'settled')).toEqual([{ t: 'settled', id, n: 1, delivered: true }])
})

test('a server forgets the login that another one names, and all of them when messages were lost', async () => {
  const { events, forgotten } = await hubWithTwoHomes()
  events.message('one', { t: 'changed', account: 'ann' })
  events.message('one', { t: 'logged-out', account: 'bob', sessionId: 's' })
  events.message('one', { t: 'shut', account: 'cat' })
  expect(forgotten).toEqual(['ann', 'bob', 'cat'])
  events.fenced()
  expect(forgotten.at(-1)).toBeNull()
})
