import { rmSync } from 'node:fs'
import { expect, onTestFinished, test } from 'vitest'
import { createHubClient } from '../../../src/call/hub/hub-client.ts'
import { browserClock } from '../../../src/platform/io/browser-clock.ts'
import { hubPerson } from '../../support/hub/hub-person.ts'
import { startRedis } from '../../support/servers/redis.ts'
import { signIn, startServer } from '../../support/servers/server.ts'
import { startServerProcess } from '../../support/servers/server-process.ts'
import { migratedDatabase } from '../../support/stores/migrated.ts'
import { postgresPort } from '../../support/stores/stores.ts'
import { waitFor } from '../../support/wait-for.ts'

test('a user whose region dies connects to the hub of the next region, and is matched there', async () => {
  const redis = await startRedis()
  onTestFinished(redis.stop)
  const env = { DATABASE_URL: await migratedDatabase(postgresPort()), REDIS_URL: redis.url }
  const home = await startServer({ ...env, REGION: 'home' })
  onTestFinished(home.stop)
  const near = await startServerProcess({ ...env, REGION: 'near' })
  onTestFinished(async () => {
    await near.kill()
    rmSync(near.dataDir, { recursive: true, force: true })
  })

  const [ada, bob] = [
    await signIn(home, { email: 'ada@example.org' }),
    await signIn(home, { email: 'bob@example.org' }),
  ]
  const failed: string[] = []
  const states: string[] = []
  const client = createHubClient({
    sites: { order: () => [near.url, home.origin], failed: (origin) => void failed.push(origin) },
    log: { info: () => {}, error: () => {} },
    clock: browserClock,
    onWake: () => () => {},
    reconnectDelays: [0, 0, 0, 0],
  })
  onTestFinished(() => client.stop())
  client.onState((state) => void states.push(state))
  const userSessionId = ada.sessionId
  const token = async () => (await ada.request('readHubToken', { userSessionId })).hubConnectionAccessToken
  const join = () => client.invoke('InitiateMatchingWithPeers', client.connectionId(), '[]')
  const matched = new Promise<string>((resolve) => client.on('OnUserMatched', (_role, session) => resolve(session)))
  await client.start({ userSessionId, token })
  await join()

  await near.kill()
  await waitFor(() => expect(states).toEqual(['connecting', 'connected', 'reconnecting', 'connected']))
  expect(failed).toEqual([near.url])
  await join()

  const other = hubPerson(home, bob)
  onTestFinished(() => other.client.stop())
  const otherMatched = other.next('OnUserMatched')
  await other.queue()
  const session = await matched
  expect((await otherMatched)[1]).toBe(session)
})
