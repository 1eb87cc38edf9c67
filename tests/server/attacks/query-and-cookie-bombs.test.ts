import { expect, onTestFinished, test } from 'vitest'
import { bombsOf, sendBombs } from '../../support/attacks/query-and-cookie-bombs.ts'
import { signIn, startServer } from '../../support/servers/server.ts'

test('oversized and malformed queries and cookies are refused, and change no prototype', async () => {
  const server = await startServer()
  onTestFinished(server.stop)
  const ada = await signIn(server, { email: 'ada@example.org' })
  const times = 3 * bombsOf('profile').length
  const statuses = await sendBombs(server.origin, { lanes: 8, times, cookieName: 'profile' })
  const refused = Object.entries(statuses).filter(([status]) => /^4\d\d$/.test(status) || status === '200')
  expect(refused.reduce((sum, [, count]) => sum + count, 0)).toBe(times)
  // The server runs in this process and shares its prototypes.
  expect('admin' in {}).toBe(false)
  expect((await ada.send('readBlockStatus', { userEmailAddress: ada.email })).status).toBe(200)
})
