import { expect, onTestFinished, test } from 'vitest'
import { hubTokenOf } from '../../support/attacks/hub-tokens.ts'
import { holdSilentHandshakes } from '../../support/attacks/silent-handshakes.ts'
import { signIn, startServer } from '../../support/servers/server.ts'

test('an account holds at most ten hub sockets without a handshake, and another account connects meanwhile', async () => {
  const server = await startServer()
  onTestFinished(server.stop)
  const token = await hubTokenOf(await signIn(server, { email: 'mallory@example.org' }))
  const ada = await hubTokenOf(await signIn(server, { email: 'ada@example.org' }))
  const held = holdSilentHandshakes(server.origin, { tokens: [token], socketsPerAccount: 40, forMs: 1_500 })
  const others = holdSilentHandshakes(server.origin, { tokens: [ada], socketsPerAccount: 1, forMs: 500 })
  expect(await others).toEqual({ 'held to the end': 1 })
  expect(await held).toEqual({ 'held to the end': 10, 429: 30 })
})
