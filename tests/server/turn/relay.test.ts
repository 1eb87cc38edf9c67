import { afterAll, afterEach, beforeAll, expect, onTestFinished, test } from 'vitest'
import { TURN_CREDENTIAL_MS } from '#protocol/constants.ts'
import { movableClock } from '../../support/movable-clock.ts'
import { type Coturn, startCoturn } from '../../support/servers/coturn.ts'
import { type SignedInVisitor, signIn, startServer, type TestServer } from '../../support/servers/server.ts'
import { openTurnClient, type TurnClient } from '../../support/servers/turn-client.ts'

/** Debian's coturn with the configuration that operators get, and nothing on top. */

let coturn: Coturn
let saidAtStart: string
let server: TestServer
let ada: SignedInVisitor
const clients: TurnClient[] = []
/** Keep their ports until the end: coturn refuses a port of a moment ago with 437, whose allocation it has not cleared yet. */
const released: TurnClient[] = []
const clock = movableClock()

beforeAll(async () => {
  coturn = await startCoturn()
  saidAtStart = coturn.output()
  server = await startServer(coturn.env, { clock })
  ada = await signIn(server, { email: 'ada@example.org' })
})

afterEach(async () => {
  for (const client of clients.splice(0)) {
    await client.release()
    released.push(client)
  }
})

afterAll(async () => {
  for (const client of released) client.close()
  await server?.stop()
  await coturn?.stop()
})

async function connect(port = coturn.port): Promise<TurnClient> {
  const client = await openTurnClient(port)
  clients.push(client)
  return client
}

test('the configuration has no line that coturn does not know', () => {
  expect(saidAtStart).toMatch(/Default realm: waggle/)
  expect(saidAtStart).not.toMatch(/bad configuration|unrecognized|unknown/i)
})

test('credentials of the API open an allocation', async () => {
  const client = await connect()
  expect(await client.allocate(await ada.request('readTurn', undefined))).toBe('ok')
})

test('credentials of ten minutes ago, and made up ones, open none', async () => {
  // A little more than ten minutes, for coturn counts in whole seconds.
  const ago = TURN_CREDENTIAL_MS + 5_000
  clock.forward(-ago)
  const old = await ada.request('readTurn', undefined)
  clock.forward(ago)
  expect(await (await connect()).allocate(old)).toBe(401)

  const fresh = await ada.request('readTurn', undefined)
  const later = { ...fresh, username: fresh.username.replace(/^\d+/, (expiry) => String(Number(expiry) + 3600)) }
  expect(await (await connect()).allocate(later)).toBe(401)
  expect(await (await connect()).allocate({ ...fresh, credential: 'guessed' })).toBe(401)
})

test.each([
  '0.0.0.0',
  '10.0.0.1',
  '100.64.0.1',
  '127.0.0.1',
  '127.255.255.254',
  '169.254.169.254',
  '172.16.0.1',
  '172.31.255.255',
  '192.0.0.1',
  '192.168.1.1',
  '198.18.0.1',
  '224.0.0.251',
  '255.255.255.255',
])('a peer at %s is refused', async (address) => {
  const client = await connect()
  expect(await client.allocate(await ada.request('readTurn', undefined))).toBe('ok')
  expect(await client.permit(address)).toBe(403)
})

test('a peer of the public internet is allowed', async () => {
  const client = await connect()
  expect(await client.allocate(await ada.request('readTurn', undefined))).toBe('ok')
  // A permission sends nothing to the peer.
  for (const address of ['1.1.1.1', '172.32.0.1', '223.255.255.255']) expect(await client.permit(address)).toBe('ok')
})

test('one account opens only so many allocations, with however many sets of credentials', async () => {
  const bob = await signIn(server, { email: 'bob@example.org' })
  const login = await bob.request('readTurn', undefined)
  for (let count = 1; count <= 24; count += 1) expect(await (await connect()).allocate(login)).toBe('ok')
  expect(await (await connect()).allocate(login)).toBe(486)
  clock.forward(1_000)
  const later = await bob.request('readTurn', undefined)
  expect(later.username).not.toBe(login.username)
  expect(await (await connect()).allocate(later)).toBe(486)
  expect(await (await connect()).allocate(await ada.request('readTurn', undefined))).toBe('ok')
})

test('an allocation lives on when its credentials and its nonce have expired', async () => {
  const short = await startCoturn(['--stale-nonce=1'])
  onTestFinished(short.stop)
  const login = short.login(1)
  const inCall = await connect(short.port)
  expect(await inCall.allocate(login)).toBe('ok')
  await expect.poll(async () => (await connect(short.port)).allocate(login)).toBe(401)
  expect(await inCall.refresh()).toBe('ok')
})
