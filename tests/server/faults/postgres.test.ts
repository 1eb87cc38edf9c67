import { expect, onTestFinished, test } from 'vitest'
import { newDatabase, type Postgres, startPostgres } from '../../support/servers/postgres.ts'
import { signIn } from '../../support/servers/server.ts'
import { startServerProcess } from '../../support/servers/server-process.ts'
import { startTcpProxy } from '../../support/servers/tcp-proxy.ts'
import { connect, liveOnce, type Promised, type Site } from '../../support/stores/promised-writes.ts'
import { settledAtOnce } from '../../support/stores/settled-people.ts'
import { openDatabaseAt, postgresPort } from '../../support/stores/stores.ts'
import { waitFor } from '../../support/wait-for.ts'

/** A server whose database fails and recovers. */

const SDP = 'v=0\r\nm=audio 9 x\r\nm=video 9 x\r\n'
const description = (type: 'offer' | 'answer') => JSON.stringify({ type, sdp: SDP })
const candidate = JSON.stringify({
  candidate: 'candidate:1 1 udp 1 127.0.0.1 9 typ host',
  sdpMid: '0',
  sdpMLineIndex: 0,
})

async function startSite(url: string) {
  const server = await startServerProcess({
    DATABASE_URL: url,
    DATABASE_TIMEOUT_MS: '3000',
    LOG_LEVEL: 'silent',
    TRUST_PROXY: '127.0.0.1,::1',
    REPORTS_TO_WARN: '1',
    REPORTS_TO_SUSPEND: '1',
    ...settledAtOnce,
  })
  onTestFinished(async () => void (await server.stop()))
  const site: Site = { origin: server.url, address: '10.0.0.1' }
  const statusOf = async (path: string) => (await fetch(`${site.origin}${path}`)).status
  return {
    site,
    statusOf,
    isReady: (status: number) => waitFor(async () => expect(await statusOf('/readyz')).toBe(status)),
    person: (email: string) => signIn(site, { email, address: site.address }),
  }
}
type Running = Awaited<ReturnType<typeof startSite>>

/** Two users in a call. */
async function callOf({ site, person }: Running, name: string) {
  const [one, other] = [await person(`one-${name}@example.org`), await person(`other-${name}@example.org`)]
  const [first, second] = [await connect(site, one), await connect(site, other)]
  expect([await first.join(), await second.join()]).toEqual([null, null])
  const { role, session } = await first.matched()
  const [caller, callee] = role === 'Caller' ? [first, second] : [second, first]
  const reported = role === 'Caller' ? other : one
  expect(await caller.invoke('HandleOffer', session, callee.id, description('offer'))).toBeNull()
  expect(await callee.invoke('HandleAnswer', session, caller.id, description('answer'))).toBeNull()
  for (const side of [caller, callee])
    expect(await side.invoke('UpdateWebRtcConnectionSuccessStatus', session)).toBeNull()
  return { caller, callee, session, reported }
}
type Call = Awaited<ReturnType<typeof callOf>>

async function expectToGoOn({ caller, callee, session }: Call): Promise<void> {
  for (const [from, to] of [
    [caller, callee],
    [callee, caller],
  ] as const) {
    expect(await from.invokeAny('SendChatMessageToPeer', session, to.id, 'still here')).toBeNull()
    expect(await from.invoke('HandleIceCandidate', session, to.id, candidate)).toBeNull()
  }
}

/** Pairs that sign in, meet and report until `end`, which resolves with the acknowledged writes that are lost. A failed write is not counted. */
function crowd({ site }: Running) {
  const promised: Promised[] = []
  let isOver = false
  let met = 0
  async function come(): Promise<void> {
    for (let pair = 0; !isOver; pair += 1) {
      const from = { ...site, address: `10.1.${pair >> 8}.${pair & 255}` }
      const came = liveOnce(from, `crowd-${pair}`, (one) => void promised.push(one))
      met += await came.then(
        () => 1,
        () => 0,
      )
    }
  }
  const coming = come()
  return {
    met: () => met,
    async end(): Promise<string[]> {
      isOver = true
      await coming
      const lost: string[] = []
      for (const { what, holds } of promised) if (!(await holds())) lost.push(what)
      return lost
    },
  }
}

async function ownPostgres(): Promise<Postgres> {
  const postgres = await startPostgres()
  onTestFinished(postgres.stop)
  return postgres
}

test.each([
  ['is restarted', (postgres: Postgres) => postgres.halt()],
  ['crashes', (postgres: Postgres) => postgres.kill()],
])(
  'a database that %s under load: calls continue, new users get Retry-After, and no acknowledged write is lost',
  async (_what, end) => {
    const postgres = await ownPostgres()
    const running = await startSite(await newDatabase(postgres.port))
    const { site, statusOf, isReady, person } = running
    const call = await callOf(running, 'call')
    const eve = await person('eve@example.org')
    const waiting = await connect(site, eve)
    const { hubConnectionAccessToken: token } = await eve.request('readHubToken', { userSessionId: eve.sessionId })
    const many = crowd(running)
    await waitFor(() => expect(many.met()).toBeGreaterThan(0))

    await end(postgres)
    await isReady(503)
    expect(await statusOf('/healthz')).toBe(200)
    await expectToGoOn(call)
    const late = await eve.send('readBlockStatus', { userEmailAddress: eve.email })
    expect([late.status, late.headers.get('retry-after')]).toEqual([503, '5'])
    const negotiated = await fetch(`${site.origin}/chathub/negotiate?negotiateVersion=1&access_token=${token}`, {
      method: 'POST',
    })
    expect([negotiated.status, negotiated.headers.get('retry-after')]).toEqual([503, '5'])
    expect(await waiting.join()).toMatch(/^unavailable: /)
    const report = () => call.caller.invoke('HandleReportedUser', call.caller.id, call.callee.id, 'BlockAndReport')
    expect(await report()).toMatch(/^unavailable: /)
    const metBefore = many.met()
    await expectToGoOn(call)

    await postgres.resume()
    await isReady(200)
    await expectToGoOn(call)
    expect(await report()).toBeNull()
    await call.callee.event('OnUserReportedByPeer')
    await waitFor(async () => {
      const { status } = await call.reported.request('readBlockStatus', { userEmailAddress: call.reported.email })
      expect(status).toBe('Appeal')
    })
    await waitFor(() => expect(many.met()).toBeGreaterThan(metBefore))
    expect(await many.end()).toEqual([])
    // A user who was connected before is still connected.
    expect(await waiting.join()).toBeNull()
  },
)

test('a network that swallows everything between server and database', async () => {
  const proxy = await startTcpProxy(postgresPort())
  onTestFinished(() => proxy.close())
  const running = await startSite(await newDatabase(postgresPort(), proxy.port))
  const { isReady, person, statusOf } = running
  const call = await callOf(running, 'call')
  const eve = await person('eve@example.org')
  const statusOfEve = async () => (await eve.send('readBlockStatus', { userEmailAddress: eve.email })).status

  const release = proxy.swallow()
  proxy.freeze()
  const asked = statusOfEve()
  await isReady(503)
  await expectToGoOn(call)
  expect(await asked).toBe(503)
  expect(await statusOf('/healthz')).toBe(200)

  release()
  await isReady(200)
  expect(await statusOfEve()).toBe(200)
  await expectToGoOn(call)
})

test('a server whose connections are reset makes new ones', async () => {
  const proxy = await startTcpProxy(postgresPort())
  onTestFinished(() => proxy.close())
  const running = await startSite(await newDatabase(postgresPort(), proxy.port))
  await running.person('ada@example.org')
  proxy.cut()
  await running.isReady(200)
  await running.person('bob@example.org')
})

test('once one connection is dead, no older connection is used any more', async () => {
  const proxy = await startTcpProxy(postgresPort())
  onTestFinished(() => proxy.close())
  const store = await openDatabaseAt(await newDatabase(postgresPort(), proxy.port), { timeoutMs: 2_000 })
  onTestFinished(() => store.close())
  const four = () => Promise.all([store.ping(), store.ping(), store.ping(), store.ping()])
  await four()
  expect(proxy.open()).toBe(4)
  proxy.freeze()
  await expect(store.ping()).rejects.toMatchObject({ code: 'unavailable' })
  await four()
})
