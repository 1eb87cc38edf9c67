import { expect, onTestFinished, test } from 'vitest'
import { fakeClock } from '../../support/fake-clock.ts'
import { Gate } from '../../support/gate.ts'
import { upgradeStatus } from '../../support/hub-client.ts'
import { hubWorld, startHub, tokenOf } from '../../support/hub-fakes.ts'

/** A hub that has found the token of `ada` to be good, and waits for her account. */
async function hubThatAdmits() {
  const { deps } = hubWorld(fakeClock())
  const ended = new Set<string>()
  const gate = new Gate()
  let lookUps = 0
  const server = await startHub({
    ...deps,
    readHubToken: async (token) => {
      const login = await deps.readHubToken(token)
      return login && !ended.has(login.accountId) ? login : null
    },
    accounts: {
      ...deps.accounts,
      async find(id) {
        lookUps += 1
        await gate.pass()
        return deps.accounts.find(id)
      },
    },
  })
  onTestFinished(server.stop)
  gate.hold()
  const status = upgradeStatus(server.url, { authorization: `Bearer ${tokenOf('ada')}` })
  await gate.reached(1)
  return { hub: server.hub, ended, gate, status, lookUps: () => lookUps }
}

test('a login that ends while its connection is being admitted gets none', async () => {
  const { hub, ended, gate, status } = await hubThatAdmits()
  ended.add('ada')
  hub.logOut({ accountId: 'ada', sessionId: 'session-ada' })
  gate.release()
  expect(await status).toBe(401)
})

test('the end of another login costs the socket no second admission', async () => {
  const { hub, ended, gate, status, lookUps } = await hubThatAdmits()
  ended.add('bob')
  hub.logOut({ accountId: 'bob', sessionId: 'session-bob' })
  gate.release()
  expect(await status).toBe(101)
  expect(lookUps()).toBe(1)
})
