import { expect, onTestFinished, test } from 'vitest'
import type { Fleet, FleetEvents } from '../../../server/fleet/fleet.ts'
import { FleetRouter } from '../../../server/fleet/fleet-router.ts'
import type { Pair } from '../../../server/matching/rules/match-queue.ts'
import type { MatchRecord } from '../../../server/matching/rules/ports.ts'
import type { Queue } from '../../../server/matching/rules/queue.ts'
import type { QueueEntry } from '../../../server/matching/rules/waiting-list.ts'
import { fakeClock } from '../../support/fake-clock.ts'
import { quietFleet } from '../../support/fleet/quiet-fleet.ts'
import { Gate } from '../../support/gate.ts'
import { RawClient } from '../../support/hub/hub-client.ts'
import { hubWorld, startHub } from '../../support/hub/hub-fakes.ts'
import { noWishesOfEntry } from '../../support/matching/queue-terms.ts'
import { StateChanges } from '../../support/state-changes.ts'

/** A server that receives one pair twice, as the result of a step and as unopened, in any order. */

const entryOf = (user: string): QueueEntry => ({
  user,
  region: '',
  spills: false,
  ...noWishesOfEntry,
  since: 0,
  lot: 0,
  blocked: new Set(),
  met: new Set(),
})
const pair: Pair = { caller: entryOf('ann'), callee: entryOf('bob') }

/** A hub whose queue resolves when the test says so. */
async function hubWithScriptedQueue() {
  const world = hubWorld(fakeClock(1_000_000))
  const joined = new Map<string, PromiseWithResolvers<Pair[]>>()
  const unopened: PromiseWithResolvers<Pair[]>[] = []
  const written: MatchRecord[] = []
  const writing = new Gate()
  const joins = new StateChanges()
  let events: FleetEvents | null = null

  const queue: Queue = {
    join(user) {
      const result = Promise.withResolvers<Pair[]>()
      joined.set(user, result)
      joins.notify()
      return result.promise
    },
    unopened() {
      const result = Promise.withResolvers<Pair[]>()
      unopened.push(result)
      return result.promise
    },
    speakers: { counts: new Map(), of: () => [] },
    restore: () => [],
    hold: () => undefined,
    drop: () => undefined,
    resume: () => [],
    leave: () => undefined,
    block: () => undefined,
    tick: () => [],
    nextTick: () => null,
    find: () => null,
    counts: () => new Map(),
    waiting: new Set(),
  }
  const { clock, log, matchRecords } = world.deps
  const fleet: Fleet = {
    ...quietFleet({
      queue,
      matchRecords: {
        ...matchRecords,
        async open(session) {
          written.push(session)
          await writing.pass()
          await matchRecords.open(session)
        },
      },
    }),
    start: async (given) => {
      events = given
    },
  }
  const server = await startHub({ ...world.deps, router: new FleetRouter({ fleet, clock, log }) })
  onTestFinished(server.stop)

  /** Two users who have joined, and whose queue has not resolved. */
  async function people() {
    const [ann, bob] = [await RawClient.connect(server.url, 'ann'), await RawClient.connect(server.url, 'bob')]
    const joining = [ann.join(), bob.join()]
    await joins.until(() => joined.size === 2)
    return { ann, bob, joining }
  }
  const resolveJoins = () => {
    joined.get('ann')?.resolve([])
    joined.get('bob')?.resolve([pair])
  }
  const resolveUnopened = () => {
    events?.pairsFound()
    unopened.at(-1)?.resolve([pair])
  }
  return { people, resolveJoins, resolveUnopened, written, writing }
}

type Scripted = Awaited<ReturnType<typeof hubWithScriptedQueue>>

async function expectOneMatch({ written }: Scripted, clients: RawClient[]): Promise<void> {
  await Promise.all(clients.map((client) => client.matched()))
  await Promise.all(clients.map((client) => client.settled()))
  expect(clients.map((client) => client.events('OnUserMatched').length)).toEqual([1, 1])
  expect(written).toHaveLength(1)
}

test('the result comes while the pair, returned as unopened, is being opened', async () => {
  const hub = await hubWithScriptedQueue()
  const { ann, bob, joining } = await hub.people()
  hub.writing.hold()
  hub.resolveUnopened()
  await hub.writing.reached(1)
  hub.resolveJoins()
  expect(await Promise.all(joining)).toEqual([null, null])
  hub.writing.release()
  await expectOneMatch(hub, [ann, bob])
})

test('the result comes when the match has been announced already', async () => {
  const hub = await hubWithScriptedQueue()
  const { ann, bob, joining } = await hub.people()
  hub.resolveUnopened()
  await Promise.all([ann.matched(), bob.matched()])
  hub.resolveJoins()
  expect(await Promise.all(joining)).toEqual([null, null])
  await expectOneMatch(hub, [ann, bob])
})

test('the pair is returned as unopened during and after the opening', async () => {
  const hub = await hubWithScriptedQueue()
  const { ann, bob, joining } = await hub.people()
  hub.writing.hold()
  hub.resolveJoins()
  await hub.writing.reached(1)
  hub.resolveUnopened()
  expect(await Promise.all(joining)).toEqual([null, null])
  hub.writing.release()
  await Promise.all([ann.matched(), bob.matched()])
  hub.resolveUnopened()
  await expectOneMatch(hub, [ann, bob])
})
