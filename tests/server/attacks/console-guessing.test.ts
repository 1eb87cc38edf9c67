import { afterAll, beforeAll, expect, test } from 'vitest'
import { guessFromManyNetworks, guessFromOneNetwork } from '../../support/attacks/console-guessing.ts'
import { startServer, type TestServer } from '../../support/servers/server.ts'
import { addModerator, type Credentials, codeOf, consoleVisitor, logIn } from '../../support/stores/moderators.ts'

let server: TestServer
let mia: Credentials

beforeAll(async () => {
  server = await startServer({ TRUST_PROXY: '127.0.0.1' })
  mia = await addModerator(server.dataDir, 'mia')
})
afterAll(() => server.stop())

test('login attempts from one IPv6 network share one limit', async () => {
  expect(await guessFromOneNetwork(server.origin, 16)).toBeLessThanOrEqual(10)
})

test('attempts from other networks do not lock a moderator out of a device that the moderator has used before', async () => {
  const device = await logIn(server, mia)
  await device.requestConsole('logout', undefined)
  const guessing = guessFromManyNetworks(server.origin, 'mia', 16)
  // A code is accepted once; the code of the next step is valid as well.
  const login = { name: 'mia', password: mia.password, code: codeOf(mia, Date.now(), 1) }
  const { name } = await consoleVisitor(server, device).requestConsole('login', login)
  expect(name).toBe('mia')
  const statuses = await guessing
  expect(statuses.filter((status) => status !== 401 && status !== 429)).toEqual([])
})
