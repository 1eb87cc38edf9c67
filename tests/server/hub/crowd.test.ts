import { expect, onTestFinished, test } from 'vitest'
import { sized, WAIT_MS } from '../../../scripts/test-limits.ts'
import { startFleetWithUsers } from '../../support/fleet/many-servers.ts'
import { gatherCrowd } from '../../support/hub/crowd.ts'
import { startRedis } from '../../support/servers/redis.ts'
import { migratedDatabase } from '../../support/stores/migrated.ts'
import { postgresPort } from '../../support/stores/stores.ts'

const SIZES = [sized(40, 160), sized(5, 20), sized(5, 20)]

test('a server with a crowd is killed: all are queued or resumed, no user is in two matches, no message is lost', async () => {
  const redis = await startRedis()
  onTestFinished(redis.stop)
  const fleet = await startFleetWithUsers(3, { database: await migratedDatabase(postgresPort()), redis: redis.url })
  onTestFinished(fleet.stop)
  const crowd = await gatherCrowd(fleet, SIZES, { chatEveryMs: 1_000, limitMs: WAIT_MS })
  onTestFinished(crowd.stop)
  const [victim] = fleet.servers
  if (!victim) throw new Error('there is no server')
  const onIt = new Set(crowd.at(victim.url))
  expect(onIt.size).toBe(SIZES[0])

  const killedAt = performance.now()
  await fleet.kill(victim)
  await crowd.until(
    'in the queue or in a session',
    (person) => !onIt.has(person) || (person.connected && person.at !== victim.url && person.inHubAt > killedAt),
  )
  expect(await crowd.twice()).toBe(0)
  await crowd.until('talking again', (person) => person.deliveredAt > killedAt)
  expect([await crowd.twice(), await crowd.disagreements()]).toEqual([0, 0])
  crowd.stop()
  expect(crowd.messages.acknowledged.size).toBeGreaterThan(sized(50, 200))
  expect(crowd.messages.lost()).toEqual([])
})
