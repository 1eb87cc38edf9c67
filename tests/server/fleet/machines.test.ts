import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { sized } from '../../../scripts/test-limits.ts'
import { type FleetWithUsers, startFleetWithUsers } from '../../support/fleet/many-servers.ts'
import { connectChatClients, expectAllChatting, expectNothingLost } from '../../support/hub/chat-clients.ts'
import { type RedisServer, startRedis } from '../../support/servers/redis.ts'
import { migratedDatabase } from '../../support/stores/migrated.ts'
import { postgresPort } from '../../support/stores/stores.ts'

let redis: RedisServer
beforeAll(async () => {
  redis = await startRedis()
})
afterAll(() => redis.stop())

async function startFleet(count: number): Promise<FleetWithUsers> {
  const started = await startFleetWithUsers(count, {
    database: await migratedDatabase(postgresPort()),
    redis: redis.url,
  })
  onTestFinished(started.stop)
  return started
}

test('a machine loses its power: all users go on with the same or another partner, and no delivered message is lost', async () => {
  const fleet = await startFleet(3)
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
  const fleet = await startFleet(2)
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
  const fleet = await startFleet(2)
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
