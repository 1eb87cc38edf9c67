import { expect, onTestFinished, test } from 'vitest'
import { sized } from '../../../scripts/test-limits.ts'
import { startFleetWithUsers } from '../../support/fleet/many-servers.ts'
import { ChatClient } from '../../support/hub/chat-client.ts'
import { connectChatClients, expectAllChatting, expectNothingLost } from '../../support/hub/chat-clients.ts'
import { startRedisCluster } from '../../support/servers/redis-cluster.ts'
import { migratedDatabase } from '../../support/stores/migrated.ts'
import { postgresPort } from '../../support/stores/stores.ts'
import { waitFor } from '../../support/wait-for.ts'

test('two servers on a Redis Cluster: the master of the match queue is killed, calls continue, and new matches are made', async () => {
  const cluster = await startRedisCluster({ replicas: true })
  onTestFinished(cluster.stop)
  const all = await startFleetWithUsers(2, {
    database: await migratedDatabase(postgresPort()),
    redis: cluster.urls.join(','),
  })
  onTestFinished(all.stop)
  const newcomer = async (name: string) => {
    const talker = new ChatClient(all.origin, await all.createUser(name))
    onTestFinished(() => talker.stop())
    return talker
  }
  const talkers = await connectChatClients(all, sized(4, 10))
  const talks = talkers.map((talker) => talker.keepChatting())
  await expectAllChatting(talkers, all)
  const [waiting, late] = [await newcomer('waiting'), await newcomer('late')]
  await waiting.start()
  await waiting.until(() => waiting.joins > 0)

  const master = await cluster.masterOf('{waggle:world}')
  await master.kill()
  await expectAllChatting(talkers, all)
  // A server refuses newcomers until it has found the new master.
  await waitFor(() => late.start())
  await Promise.all([waiting, late].map((talker) => talker.until(() => talker.session !== null)))
  expect(late.session).toBe(waiting.session)
  expect(await late.sendChat()).not.toBeNull()

  expect(talkers.filter(({ matches }) => matches.length !== 1)).toEqual([])
  await Promise.all(talkers.map((talker) => talker.stop()))
  await Promise.all(talks)
  expectNothingLost(talkers)
  expect(talkers.flatMap(({ received }) => [...received]).filter(([, times]) => times > 1)).toEqual([])
})
