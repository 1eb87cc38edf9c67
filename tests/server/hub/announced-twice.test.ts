import { expect, onTestFinished, test } from 'vitest'
import type { Fleet, FleetEvents } from '../../../server/fleet/fleet.ts'
import { FleetRouter } from '../../../server/fleet/fleet-router.ts'
import type { Pair } from '../../../server/matching/rules/match-queue.ts'
import type { MatchRecord } from '../../../server/matching/rules/ports.ts'
import type { Queue } from '../../../server/matching/rules/queue.ts'
import type { QueueEntry } from '../../../server/matching/rules/waiting-list.ts'
import { fakeClock } from '../../support/fake-clock.ts'
import { Gate } from '../../support/gate.ts'
import { RawClient } from '../../support/hub/hub-client.ts'
import { hubWorld, startHub } from '../../support/hub/hub-fakes.ts'

/** A server that hears of one pair in two ways, as the answer to a step and among the unopened, in any order. */

const place = (user: string): QueueEntry => ({
  user,
  region: '',
  spills: false,
  since: 0,
  lot: 0,
  blocked: new Set(),
  met: new Set(),
})
const pair: Pair = { caller: place('ann'), callee: place('bob') }

/** A hub whose queue answers when the test says so. */
async function hubWithScriptedQueue() {
  const world = hubWorld(fakeClock(1_000_000))
  const joined = new Map<string, PromiseWithResolvers<Pair[]>>()
  const unopened: PromiseWithResolvers<Pair[]>[] = []
  const written: MatchRecord[] = []
  const writing = new Gate()
  const asks = new Set<() => void>()
  const tickets = new Map<string, string>()
  let events: FleetEvents | null = null

  const queue: Queue = {
    join(user) {
      const answer = Promise.withResolvers<Pair[]>()
      joined.set(user, answer)
      for (const look of asks) look()
      return answer.promise
    },
    unopened() {
      const answer = Promise.withResolvers<Pair[]>()
      unopened.push(answer)
      return answer.promise
    },
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
  }
  const { clock, log, matchRecords } = world.deps
  const fleet: Fleet = {
    self: 'here',
    isAvailable: true,
    queue,
    matchRecords: {
      ...matchRecords,
      async open(session) {
        written.push(session)
        await writing.pass()
        await matchRecords.open(session)
      },
    },
    tickets: {
      async put(token, ticket) {
        tickets.set(token, ticket)
        return true
      },
      take: async (token) => tickets.get(token) ?? null,
    },
    start: async (given) => {
      events = given
    },
    attach: async () => ({ home: 'here', order: 1 }),
    forget: () => undefined,
    isMember: () => true,
    send: () => undefined,
    sendAll: () => undefined,
    stopRetries: () => undefined,
    leave: async () => undefined,
  }
  const server = await startHub({ ...world.deps, router: new FleetRouter({ fleet, clock, log }) })
  onTestFinished(server.stop)

  /** Two who have asked for a match, and whose queue has not answered. */
  async function people() {
    const [ann, bob] = [await RawClient.connect(server.url, 'ann'), await RawClient.connect(server.url, 'bob')]
    const asked = [ann.join(), bob.join()]
    await new Promise<void>((resolve) => {
      const look = () => {
        if (joined.size === 2) resolve()
      }
      asks.add(look)
      look()
    })
    return { ann, bob, asked }
  }
  const answerJoins = () => {
    joined.get('ann')?.resolve([])
    joined.get('bob')?.resolve([pair])
  }
  const answerUnopened = () => {
    events?.pairsFound()
    unopened.at(-1)?.resolve([pair])
  }
  return { people, answerJoins, answerUnopened, written, writing }
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
  const { ann, bob, asked } = await hub.people()
  hub.writing.hold()
  hub.answerUnopened()
  await hub.writing.reached(1)
  hub.answerJoins()
  expect(await Promise.all(asked)).toEqual([null, null])
  hub.writing.release()
  await expectOneMatch(hub, [ann, bob])
})

test('the result comes when the match has been announced already', async () => {
  const hub = await hubWithScriptedQueue()
  const { ann, bob, asked } = await hub.people()
  hub.answerUnopened()
  await Promise.all([ann.matched(), bob.matched()])
  hub.answerJoins()
  expect(await Promise.all(asked)).toEqual([null, null])
  await expectOneMatch(hub, [ann, bob])
})

test('the pair is returned as unopened during and after the opening', async () => {
  const hub = await hubWithScriptedQueue()
  const { ann, bob, asked } = await hub.people()
  hub.writing.hold()
  hub.answerJoins()
  await hub.writing.reached(1)
  hub.answerUnopened()
  expect(await Promise.all(asked)).toEqual([null, null])
  hub.writing.release()
  await Promise.all([ann.matched(), bob.matched()])
  hub.answerUnopened()
  await expectOneMatch(hub, [ann, bob])
})
