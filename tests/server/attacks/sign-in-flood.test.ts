import { expect, onTestFinished, test } from 'vitest'
import { floodSignIn } from '../../support/attacks/sign-in-flood.ts'
import { signIn, startServer } from '../../support/servers/server.ts'

test('forged tokens of one address are refused, then rate-limited, and another address signs in meanwhile', async () => {
  const server = await startServer({ TRUST_PROXY: '127.0.0.1' })
  onTestFinished(server.stop)
  const flood = floodSignIn(server.origin, { lanes: 16, times: 340, forged: true })
  const ada = await signIn(server, { email: 'ada@example.org', address: '192.0.2.1' })
  expect((await ada.send('validateAccessToken', undefined)).status).toBe(200)
  const statuses = await flood
  expect(statuses[403]).toBeLessThanOrEqual(300)
  expect(statuses[429]).toBeGreaterThanOrEqual(40)
  expect(Object.keys(statuses)).toEqual(['403', '429'])
})
