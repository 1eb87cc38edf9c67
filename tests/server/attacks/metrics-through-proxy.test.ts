import { expect, onTestFinished, test } from 'vitest'
import { proxyDialects, readMetricsThroughProxies } from '../../support/attacks/metrics-through-proxy.ts'
import { startServer } from '../../support/servers/server.ts'

async function start(env: Record<string, string> = {}) {
  const server = await startServer(env)
  onTestFinished(server.stop)
  return { local: `http://127.0.0.1:${server.port}`, named: server.origin }
}

async function statusOf(origin: string, authorization?: string): Promise<number> {
  const response = await fetch(`${origin}/metrics`, authorization === undefined ? {} : { headers: { authorization } })
  await response.arrayBuffer()
  return response.status
}

test('metrics are served to programs on this machine, and not through a proxy on it', async () => {
  const { local, named } = await start()
  expect(await statusOf(local)).toBe(200)
  expect(await statusOf(named.replace('127.0.0.1', 'localhost'))).toBe(200)
  expect(await readMetricsThroughProxies(local)).toEqual(
    Object.fromEntries(Object.keys(proxyDialects).map((name) => [name, 403])),
  )
})

test.each([[{ TRUST_PROXY: '127.0.0.1' }], [{ PUBLIC_ORIGIN: 'https://chat.example.org', DEV_IDENTITY: 'on' }]])(
  'where a proxy is configured (%o), a request without proxy headers needs the token too',
  async (env) => {
    const { local } = await start(env)
    expect(await statusOf(local)).toBe(403)
    const METRICS_TOKEN = 'metrics-token-of-this-test-of-proxies'
    const guarded = await start({ ...env, METRICS_TOKEN })
    expect(await statusOf(guarded.local)).toBe(401)
    expect(await statusOf(guarded.local, `Bearer ${METRICS_TOKEN}`)).toBe(200)
  },
)
