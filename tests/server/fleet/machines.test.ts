import { afterAll, beforeAll, expect, test } from 'vitest'
import { sized } from '../../../scripts/test-limits.ts'
import { type FleetWithUsers, startFleetWithUsers } from '../../support/fleet/many-servers.ts'
import { connectChatClients, expectAllChatting, expectNothingLost } from '../../support/hub/chat-clients.ts'
import { type RedisServer, startRedis } from '../../support/servers/redis.ts'
import { migratedDatabase } from '../../support/stores/migrated.ts'
import { postgresPort } from '../../support/stores/stores.ts'

/** One fleet for all tests: a server costs seconds to start. */
let redis: RedisServer
let fleet: FleetWithUsers
beforeAll(async () => {
  redis = await startRedis()
  fleet = await startFleetWithUsers(3, { database: await migratedDatabase(postgresPort()), redis: redis.url })
})
afterAll(async () => {
  await fleet.stop()
  await redis.stop()
})

/** Starts what is missing of `count` servers. */
async function fillFleet(count: number): Promise<void> {
  while (fleet.servers.length < count) await fleet.add()
}

test('a machine loses its power: all users go on with the same or another partner, and no delivered message is lost', async () => {
  await fillFleet(3)
  const clients = await connectChatClients(fleet, sized(12, 40))
  const chats = clients.map((client) => client.keepChatting())
  await expectAllChatting(clients, fleet)
  for (let round = 0; round < 2; round += 1) {
    const [victim] = fleet.servers
    if (!victim) throw new Error('no server is left')
    await fleet.kill(victim)
    if (round === 0) await fleet.add()
    await expectAllChatting(clients, fleet)
  }
  await Promise.all(clients.map((client) => client.stop()))
  await Promise.all(chats)
  expectNothingLost(clients)
})

test('a machine that was paused until it was declared dead does no harm when it goes on', async () => {
  await fillFleet(2)
  const clients = await connectChatClients(fleet, sized(6, 20))
  const chats = clients.map((client) => client.keepChatting())
  await expectAllChatting(clients, fleet)
  const [slow] = fleet.servers
  if (!slow) throw new Error('there is no server')
  const untilTalkGoesOn = async () => {
    const before = clients.map(({ acknowledged }) => acknowledged.length)
    await Promise.any(
      clients.map((client, index) => client.until(() => client.acknowledged.length > (before[index] ?? 0) + 8)),
    )
  }
  process.kill(slow.pid, 'SIGSTOP')
  await untilTalkGoesOn()
  process.kill(slow.pid, 'SIGCONT')
  await expectAllChatting(clients, fleet)
  await Promise.all(clients.map((client) => client.stop()))
  await Promise.all(chats)
  expectNothingLost(clients)
})

test('machines that are upgraded one after the other keep every user and match', async () => {
  await fillFleet(2)
  const clients = await connectChatClients(fleet, sized(6, 20))
  const chats = clients.map((client) => client.keepChatting())
  for (const earlier of [...fleet.servers]) {
    await fleet.add()
    await fleet.retire(earlier)
    await expectAllChatting(clients, fleet)
  }
  expect(clients.filter(({ matches }) => matches.length !== 1)).toEqual([])
  await Promise.all(clients.map((client) => client.stop()))
  await Promise.all(chats)
  expectNothingLost(clients)
})
