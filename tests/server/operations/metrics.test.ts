import { expect, onTestFinished, test } from 'vitest'
import { createMetrics } from '../../../server/operations/prometheus-metrics.ts'
import { call, hubPerson, report } from '../../support/hub/hub-person.ts'
import { readMetrics } from '../../support/servers/read-metrics.ts'
import { startRedis } from '../../support/servers/redis.ts'
import { signIn, startServer } from '../../support/servers/server.ts'
import { startTcpProxy } from '../../support/servers/tcp-proxy.ts'

async function twoPeople(env: Record<string, string> = {}) {
  const server = await startServer(env)
  onTestFinished(server.stop)
  const visitors = await Promise.all(['ada', 'bob'].map((name) => signIn(server, { email: `${name}@example.org` })))
  const [ada, bob] = visitors.map((visitor) => hubPerson(server, visitor))
  if (!ada || !bob) throw new Error('two were asked for')
  return { server, ada, bob }
}

/** Resolves when a metric has the value. */
async function reaches(server: { origin: string }, series: string, value: number): Promise<void> {
  await expect.poll(async () => (await readMetrics(server))(series)).toBe(value)
}

test('a journey from the queue through a call to a report moves the metrics of each step', async () => {
  const { server, ada, bob } = await twoPeople()
  await ada.queue()
  await reaches(server, 'waggle_queue_people{state="waiting"}', 1)
  await reaches(server, 'waggle_hub_connections', 1)

  const { session, caller, callee } = await call(ada, bob)
  const talking = await readMetrics(server)
  expect(talking('waggle_queue_people{state="waiting"}')).toBe(0)
  expect(talking('waggle_hub_connections')).toBe(2)
  expect(talking('waggle_live_matches')).toBe(1)
  expect(talking('waggle_matches_total')).toBe(1)
  expect(talking('waggle_match_wait_seconds_count')).toBe(2)
  expect(talking('waggle_match_wait_seconds_sum')).toBeGreaterThan(0)
  expect(talking('waggle_match_outcomes_total{outcome="connected"}')).toBe(1)
  expect(talking('waggle_relay_duration_seconds_count{event="OnOfferReceived"}')).toBe(1)

  await caller.client.invoke('SendChatMessageToPeer', session, callee.client.connectionId, 'hello')
  await expect(caller.client.invoke('HandleAnswer', session, callee.client.connectionId, '{}')).rejects.toThrow()
  await caller.visitor.request('reportConnection', { outcome: 'direct', afterMs: 400 })
  const pair = { kind: 'relay', way: 'tls', family: 'ipv4' } as const
  await callee.visitor.request('reportConnection', { outcome: 'relay', afterMs: 900, pair })
  await callee.visitor.request('reportConnection', { outcome: 'lost', afterMs: 60_000 })
  await report(caller, callee)

  await reaches(server, 'waggle_live_matches', 0)
  const after = await readMetrics(server)
  expect(after('waggle_relay_duration_seconds_count{event="OnChatMessage"}')).toBe(1)
  expect(after('waggle_refused_total{at="invocation",reason="forbidden"}')).toBe(1)
  expect(after('waggle_peer_connections_total{outcome="direct"}')).toBe(1)
  expect(after('waggle_peer_connections_total{outcome="relay"}')).toBe(1)
  expect(after('waggle_peer_connections_total{outcome="lost"}')).toBe(1)
  expect(after('waggle_candidate_pairs_total{kind="relay",way="tls",family="ipv4"}')).toBe(1)
  expect(after('waggle_peer_connect_duration_seconds_sum{outcome="relay"}')).toBe(0.9)
  expect(after('waggle_peer_connect_duration_seconds_count{outcome="lost"}')).toBe(0)
  expect(after('waggle_moderation_open_cases')).toBe(1)
  expect(after('waggle_moderation_oldest_case_seconds')).toBeGreaterThan(0)
  expect(after('waggle_match_outcomes_total{outcome="left"}')).toBe(0)
  expect(after('waggle_online_users')).toBe(2)
  expect(after('nodejs_eventloop_lag_p99_seconds')).toBeGreaterThan(0)
})

test('metrics of a server with a region name it', async () => {
  const { server, ada, bob } = await twoPeople({ REGION: 'eu' })
  await ada.queue()
  await reaches(server, 'waggle_queue_people{region="eu",state="waiting"}', 1)
  await call(ada, bob)
  await reaches(server, 'waggle_queue_people{region="eu",state="waiting"}', 0)
  await reaches(server, 'waggle_matched_people_total{region="eu",partner="same"}', 2)
})

test('people matched with another region are counted apart', async () => {
  const { metrics, registry } = createMetrics()
  metrics.matchMade({ region: 'eu', waitedMs: 1_000 }, { region: '', waitedMs: 2_000 })
  metrics.matchMade({ region: 'eu', waitedMs: 1_000 }, { region: 'eu', waitedMs: 2_000 })
  const text = await registry.metrics()
  expect(text).toContain('waggle_matched_people_total{region="eu",partner="another"} 1\n')
  expect(text).toContain('waggle_matched_people_total{partner="another"} 1\n')
  expect(text).toContain('waggle_matched_people_total{region="eu",partner="same"} 2\n')
})

test('a user whose connection drops in the queue counts as away, and the sum stays the same', async () => {
  const { server, ada } = await twoPeople()
  const proxy = await startTcpProxy(server.port)
  const away = hubPerson({ origin: `http://127.0.0.1:${proxy.port}` }, ada.visitor)
  await away.queue()
  await reaches(server, 'waggle_queue_people{state="waiting"}', 1)
  await proxy.close()
  await reaches(server, 'waggle_queue_people{state="away"}', 1)
  expect((await readMetrics(server))('waggle_queue_people{state="waiting"}')).toBe(0)
})

test('a match that times out and a match that a user leaves are counted apart', async () => {
  const { server, ada, bob } = await twoPeople({ MATCH_TIMEOUT_MS: '100' })
  const over = ada.next('SessionTerminated')
  await Promise.all([ada.queue(), bob.queue()])
  await over
  await reaches(server, 'waggle_match_outcomes_total{outcome="timed-out"}', 1)

  const slow = await twoPeople()
  const matched = slow.ada.next('OnUserMatched')
  await Promise.all([slow.ada.queue(), slow.bob.queue()])
  const [, session] = await matched
  await slow.ada.client.invoke('OnMatchedSessionTerminationRequested', session, slow.ada.client.connectionId)
  await reaches(slow.server, 'waggle_match_outcomes_total{outcome="left"}', 1)
})

test('the state of database and Redis is reported, also while one of them does not respond', async () => {
  const redis = await startRedis()
  const server = await startServer({ REDIS_URL: redis.url })
  onTestFinished(server.stop)
  await reaches(server, 'waggle_dependency_up{dependency="redis"}', 1)
  await redis.stop()
  await reaches(server, 'waggle_dependency_up{dependency="redis"}', 0)
  await reaches(server, 'waggle_dependency_up{dependency="database"}', 1)
})

test('requests are counted by route and class of status, refusals by reason', async () => {
  const { server, ada } = await twoPeople()
  const before = await readMetrics(server)
  await ada.visitor.request('readBlockStatus', { userEmailAddress: 'ada@example.org' })
  await ada.visitor.send('readBlockStatus', { userEmailAddress: 'eve@example.org' })
  await fetch(`${server.origin}/api/users/block/get?userEmailAddress=ada@example.org`)
  await fetch(`${server.origin}/no-such-page/of-somebody`)
  const after = await readMetrics(server)
  const grown = (series: string) => after(series) - before(series)
  const ofRoute = (status: string) =>
    `waggle_http_request_duration_seconds_count{method="GET",route="/api/users/block/get",status="${status}"}`
  expect(grown(ofRoute('2xx'))).toBe(1)
  expect(grown(ofRoute('4xx'))).toBe(2)
  expect(grown('waggle_refused_total{at="call",reason="forbidden"}')).toBe(1)
  expect(grown('waggle_refused_total{at="call",reason="login-required"}')).toBe(1)
  const text = await (await fetch(`${server.origin}/metrics`)).text()
  expect(text).not.toContain('of-somebody')
})

test('a resume by a new socket or a new connection is counted, and so is a refused socket', async () => {
  const { server, ada } = await twoPeople()
  const { hubConnectionAccessToken: token } = await ada.visitor.request('readHubToken', {
    userSessionId: ada.visitor.sessionId,
  })
  const visit = `visit=one&access_token=${token}`
  for (const _ of ['first', 'second']) {
    const { origin } = server
    const { connectionToken } = (await (
      await fetch(`${origin}/chathub/negotiate?negotiateVersion=1&useStatefulReconnect=true&${visit}`, {
        method: 'POST',
      })
    ).json()) as { connectionToken: string }
    const address = `${origin.replace('http', 'ws')}/chathub?id=${connectionToken}&${visit}`
    const socket = await opened(address)
    socket.send('{"protocol":"json","version":2}\u001e')
    await new Promise((resolve) => socket.addEventListener('message', resolve, { once: true }))
    const again = await opened(address)
    await new Promise((resolve) => again.addEventListener('message', resolve, { once: true }))
    onTestFinished(() => again.close())
  }
  await reaches(server, 'waggle_hub_resumes_total{by="socket"}', 2)
  await reaches(server, 'waggle_hub_resumes_total{by="connection"}', 1)
  await expect(opened(`${server.origin.replace('http', 'ws')}/chathub?id=unknown&${visit}`)).rejects.toThrow()
  await reaches(server, 'waggle_refused_total{at="socket",reason="404"}', 1)
})

function opened(address: string): Promise<WebSocket> {
  const socket = new WebSocket(address)
  return new Promise((resolve, reject) => {
    socket.addEventListener('open', () => resolve(socket))
    socket.addEventListener('error', () => reject(new Error('refused')))
  })
}

test('a report of a peer connection needs a login and a known outcome', async () => {
  const { ada, server } = await twoPeople()
  const post = (body: unknown, cookie: boolean) =>
    (cookie ? ada.visitor.fetch : fetch)(`${server.origin}/api/call/connection/add`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: server.origin, 'x-requested-with': 'XMLHttpRequest' },
      body: JSON.stringify(body),
    })
  expect((await post({ outcome: 'direct', afterMs: 1 }, false)).status).toBe(401)
  expect((await post({ outcome: 'ada@example.org', afterMs: 1 }, true)).status).toBe(400)
  expect((await post({ outcome: 'direct', afterMs: -1 }, true)).status).toBe(400)
  expect(await (await post({ outcome: 'failed', afterMs: 1 }, true)).json()).toEqual({ message: 'Valid' })
  expect((await readMetrics(server))('waggle_peer_connections_total{outcome="failed"}')).toBe(1)
})

test('a reported candidate pair has values of closed lists, and only an established connection counts one', async () => {
  const { ada, server } = await twoPeople()
  const report = async (input: object) => {
    const response = await ada.visitor.fetch(`${server.origin}/api/call/connection/add`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: server.origin, 'x-requested-with': 'XMLHttpRequest' },
      body: JSON.stringify({ outcome: 'direct', afterMs: 1, ...input }),
    })
    return response.status
  }
  const pair = { kind: 'host', way: 'udp', family: 'ipv6' }
  const hostile = [
    { ...pair, kind: 'ada@example.org' },
    { ...pair, way: 'udp"} 1\nwaggle_online_users 9' },
    { ...pair, family: '192.0.2.1' },
    { ...pair, family: { toString: 'ipv4' } },
    { ...pair, kind: '__proto__' },
    { kind: 'host' },
    'host',
    [],
    null,
  ]
  for (const one of hostile) expect(await report({ pair: one })).toBe(400)
  expect(await report({ pair: { ...pair, address: '192.0.2.1' } })).toBe(200)
  expect(await report({ pair, outcome: 'failed' })).toBe(200)
  expect(await report({ pair, outcome: 'lost' })).toBe(200)
  expect(await report({})).toBe(200)

  const text = await (await fetch(`${server.origin}/metrics`)).text()
  expect(text.match(/^waggle_candidate_pairs_total.*$/gm)).toEqual([
    'waggle_candidate_pairs_total{kind="host",way="udp",family="ipv6"} 1',
  ])
})
