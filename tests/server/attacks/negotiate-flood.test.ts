import { expect, onTestFinished, test } from 'vitest'
import { hubTokenOf } from '../../support/attacks/hub-tokens.ts'
import { floodNegotiate } from '../../support/attacks/negotiate-flood.ts'
import { signIn, startServer } from '../../support/servers/server.ts'

const AT_ONCE = 400

test('hundreds of negotiations at once do not delay a request of another user', async () => {
  const server = await startServer()
  onTestFinished(server.stop)
  const token = await hubTokenOf(await signIn(server, { email: 'mallory@example.org' }))
  const ada = await signIn(server, { email: 'ada@example.org' })
  let answered = 0
  const begun = Promise.withResolvers<void>()
  const flood = floodNegotiate(server.origin, {
    token,
    lanes: AT_ONCE,
    times: AT_ONCE,
    answered: () => {
      answered += 1
      begun.resolve()
    },
  })
  await begun.promise
  await ada.request('readBlockStatus', { userEmailAddress: ada.email })
  expect(answered).toBeLessThan(AT_ONCE / 2)
  const statuses = await flood
  expect(Object.keys(statuses)).toEqual(['200', '429'])
  expect(statuses[429]).toBeGreaterThan(AT_ONCE / 2)
})
