import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { type Machines, startMachines } from '../../support/fleet/machines.ts'
import { connectChatClients, expectAllChatting, expectNothingLost } from '../../support/hub/chat-clients.ts'
import { newDatabase } from '../../support/servers/postgres.ts'
import { type RedisServer, startRedis } from '../../support/servers/redis.ts'
import { postgresPort } from '../../support/stores/stores.ts'

let redis: RedisServer
beforeAll(async () => {
  redis = await startRedis()
})
afterAll(() => redis.stop())

async function machines(count: number): Promise<Machines> {
  const started = await startMachines(count, { database: await newDatabase(postgresPort()), redis: redis.url })
  onTestFinished(started.stop)
  return started
}

test('a machine that loses its power: everybody talks on with the same or another partner, and nothing that arrived is lost', {
  timeout: 120_000,
}, async () => {
  const all = await machines(3)
  const talkers = await connectChatClients(all, 40)
  const talks = talkers.map((talker) => talker.keepChatting())
  await expectAllChatting(talkers, all)
  for (let round = 0; round < 2; round += 1) {
    const [victim] = all.servers
    if (!victim) throw new Error('nobody is left')
    await all.kill(victim)
    if (round === 0) await all.add()
    await expectAllChatting(talkers, all)
  }
  await Promise.all(talkers.map((talker) => talker.stop()))
  await Promise.all(talks)
  expectNothingLost(talkers)
})

test('a machine that stood still for so long that it was taken for dead does no harm when it goes on', {
  timeout: 120_000,
}, async () => {
  const all = await machines(2)
  const talkers = await connectChatClients(all, 20)
  const talks = talkers.map((talker) => talker.keepChatting())
  await expectAllChatting(talkers, all)
  const [slow] = all.servers
  if (!slow) throw new Error('there is no server')
  const onIt = async () => {
    const before = talkers.map(({ acknowledged: arrived }) => arrived.length)
    await Promise.any(
      talkers.map((talker, index) => talker.until(() => talker.acknowledged.length > (before[index] ?? 0) + 8)),
    )
  }
  process.kill(slow.pid, 'SIGSTOP')
  await onIt()
  process.kill(slow.pid, 'SIGCONT')
  await expectAllChatting(talkers, all)
  await Promise.all(talkers.map((talker) => talker.stop()))
  await Promise.all(talks)
  expectNothingLost(talkers)
})

test('machines that are upgraded one after the other lose nobody', { timeout: 120_000 }, async () => {
  const all = await machines(2)
  const talkers = await connectChatClients(all, 20)
  const talks = talkers.map((talker) => talker.keepChatting())
  for (const earlier of [...all.servers]) {
    await all.add()
    await all.retire(earlier)
    await expectAllChatting(talkers, all)
  }
  expect(talkers.filter(({ matches }) => matches.length !== 1)).toEqual([])
  await Promise.all(talkers.map((talker) => talker.stop()))
  await Promise.all(talks)
  expectNothingLost(talkers)
})
