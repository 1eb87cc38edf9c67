import { expect, onTestFinished, test } from 'vitest'
import { HUB_SERVER_TIMEOUT_MS } from '#protocol/constants.ts'
import { fakeClock } from '../../support/fake-clock.ts'
import { Gate } from '../../support/gate.ts'
import { RawClient, upgradeStatus } from '../../support/hub/hub-client.ts'
import { hubWorld, startHub, tokenOf } from '../../support/hub/hub-fakes.ts'

/** A hub whose account look-ups the test can hold. */
async function hubOf() {
  const clock = fakeClock()
  const { deps } = hubWorld(clock)
  const ended = new Set<string>()
  const gate = new Gate()
  let lookUps = 0
  const server = await startHub({
    ...deps,
    readHubToken: async (token) => {
      const login = await deps.readHubToken(token)
      const isOver = !login || ended.has(login.accountId)
      lookUps += 1
      await gate.pass()
      return isOver ? null : login
    },
  })
  onTestFinished(server.stop)
  return { ...server, clock, ended, gate, lookUps: () => lookUps }
}

/** A hub that has accepted the token of `ada` and waits for the account. */
async function hubThatAdmits() {
  const server = await hubOf()
  const { gate } = server
  gate.hold()
  const status = upgradeStatus(server.url, { authorization: `Bearer ${tokenOf('ada')}` })
  await gate.reached(1)
  return { ...server, status }
}

test('a login that ends while its connection is being authorised gets none', async () => {
  const { hub, ended, gate, status } = await hubThatAdmits()
  ended.add('ada')
  hub.logOut({ accountId: 'ada', sessionId: 'session-ada' })
  gate.release()
  expect(await status).toBe(401)
})

test('the end of another login causes no second authorisation', async () => {
  const { hub, ended, gate, status, lookUps } = await hubThatAdmits()
  ended.add('bob')
  hub.logOut({ accountId: 'bob', sessionId: 'session-bob' })
  gate.release()
  expect(await status).toBe(101)
  expect(lookUps()).toBe(1)
})

test('a connection that ends while its next socket is authorised again is not taken over', async () => {
  const { url, hub, clock, gate } = await hubOf()
  const client = await RawClient.connectStateful(url, 'ada')
  client.socket.terminate()
  await client.closed
  gate.hold()
  const status = upgradeStatus(client.address)
  await gate.reached(1)
  hub.logOut({ accountId: 'ada', sessionId: 'another' })
  gate.release()
  gate.hold()
  await gate.reached(2)
  clock.advance(HUB_SERVER_TIMEOUT_MS + 1_000)
  gate.release()
  expect(await status).toBe(404)
})
