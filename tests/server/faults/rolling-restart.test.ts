import { expect, onTestFinished, test } from 'vitest'
import { behindProxy, startFleet } from '../../support/fleet/many-servers.ts'
import { call, hubPerson } from '../../support/hub/hub-person.ts'
import { startHttpLoad } from '../../support/servers/http-load.ts'
import { newDatabase } from '../../support/servers/postgres.ts'
import { startRedis } from '../../support/servers/redis.ts'
import { signIn } from '../../support/servers/server.ts'
import { postgresPort } from '../../support/stores/stores.ts'
import { waitFor } from '../../support/wait-for.ts'

test('three servers are replaced one after the other under load: no request fails, and a call continues', async () => {
  const redis = await startRedis()
  onTestFinished(redis.stop)
  const site = await startFleet(3, {
    database: await newDatabase(postgresPort()),
    redis: redis.url,
    env: behindProxy,
  })
  onTestFinished(site.stop)
  const newcomer = (name: string) => signIn(site, { email: `${name}@example.org`, address: '192.0.2.1' })
  const people = [await newcomer('ada'), await newcomer('bob'), await newcomer('cleo')]
  const [ada, bob] = [hubPerson(site, await newcomer('dan')), hubPerson(site, await newcomer('eve'))]
  onTestFinished(async () => void (await Promise.all([ada, bob].map(({ client }) => client.stop()))))
  const { session, caller, callee } = await call(ada, bob)
  let terminated = 0
  for (const { client } of [ada, bob]) client.on('SessionTerminated', () => (terminated += 1))
  const firstIds = [caller, callee].map(({ client }) => client.connectionId)

  const load = startHttpLoad(site, people)
  let sent = 0
  async function talk(): Promise<void> {
    for (const [from, to] of [
      [caller, firstIds[1]],
      [callee, firstIds[0]],
    ] as const) {
      sent += 1
      const id = `m-${sent}`
      await waitFor(() => from.client.invoke('SendChatMessageToPeer', session, to, 'still here', id))
    }
  }
  await talk()
  for (let index = 0; index < 3; index += 1) {
    await site.restart(index)
    await talk()
    const before = load.served()
    await waitFor(() => expect(load.served()).toBeGreaterThan(before + 20))
  }
  expect(await load.end()).toEqual([])
  expect(load.refused()).toBe(0)
  expect(terminated).toBe(0)
})
