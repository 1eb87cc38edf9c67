import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { freePort } from '../../../scripts/free-port.ts'
import { provokeProviderFaults } from '../../support/attacks/provider-faults.ts'
import { startFakeService } from '../../support/fakes/fake-service.ts'
import { startCaddy } from '../../support/servers/caddy.ts'
import { startServer, type TestServer } from '../../support/servers/server.ts'
import { startServerProcess } from '../../support/servers/server-process.ts'

let asked = 0
let provider: Awaited<ReturnType<typeof startFakeService>>
let env: Record<string, string>
let port: number

beforeAll(async () => {
  provider = await startFakeService((_path, query) => {
    asked += 1
    return query.get('access_token') === 'unknown' ? { status: 400, body: {} } : { status: 500, body: {} }
  })
  port = await freePort()
  env = {
    GOOGLE_CLIENT_ID: 'our-client',
    GOOGLE_TOKENINFO_URL: `${provider.url}/tokeninfo`,
    ALLOWED_ORIGINS: `http://127.0.0.1:${port}`,
    TRUST_PROXY: '127.0.0.1',
    JWT_SECRET: 'j'.repeat(32),
    ALIAS_SECRET: 'a'.repeat(32),
    EVIDENCE_KEYS: `e:${'e'.repeat(32)}`,
  }
})
afterAll(() => provider.close())

const visit = (origin: string) => fetch(`${origin}/api/server/time/get`).then(({ status }) => status)

async function visits(origin: string, count: number): Promise<number[]> {
  return [...new Set(await Promise.all(Array.from({ length: count }, () => visit(origin))))]
}

test('a fault of the provider is 502, and a token that it refuses is 401', async () => {
  const server = await startServer(env)
  expect(await provokeProviderFaults(server.origin, 3)).toEqual([502, 502, 502])
  expect(await provokeProviderFaults(server.origin, 1, 'unknown')).toEqual([401])
  await server.stop()
})

test('an impossible token is not sent to the provider: too long, or with spaces, quotes or non-ASCII characters', async () => {
  const server = await startServer(env)
  const before = asked
  for (const token of ['a'.repeat(4097), 'ya29. x', 'ya29."x', "ya29.'x", 'ya29.x\n', 'ya29.ä', ''])
    expect(await provokeProviderFaults(server.origin, 1, token)).toEqual([400])
  expect(asked).toBe(before)
  await provokeProviderFaults(server.origin, 1, `EAAG-._~+/=|:%${'a'.repeat(4000)}`)
  expect(asked).toBe(before + 1)
  await server.stop()
})

test('behind the deployed balancer all clients are served while one client provokes faults', async () => {
  const servers: TestServer[] = [await startServer(env), await startServer(env)]
  const caddy = await startCaddy(
    port,
    servers.map((server) => `127.0.0.1:${server.port}`),
  )
  for (let round = 0; round < 5; round += 1) {
    // One at each server.
    expect(await provokeProviderFaults(caddy.origin, 4)).toEqual([502, 502, 502, 502])
    expect(await visits(caddy.origin, 20)).toEqual([200])
  }
  await caddy.stop()
  for (const server of servers) await server.stop()
})

test('the deployed balancer sends no request to a server that drains or was killed', async () => {
  const [draining, dying, other] = await Promise.all([
    startServer({ ...env, DRAIN_MS: '3000' }),
    startServerProcess(env),
    startServer(env),
  ])
  onTestFinished(dying.kill)
  const ports = [draining.port, Number(new URL(dying.url).port), other.port]
  const caddy = await startCaddy(
    port,
    ports.map((one) => `127.0.0.1:${one}`),
  )
  const ended = draining.stop()
  await expect.poll(() => fetch(`${draining.origin}/readyz`).then(({ status }) => status)).toBe(503)
  // The balancer notices it with its next health check.
  await expect.poll(() => visits(caddy.origin, 20)).toEqual([200])
  for (let round = 0; round < 5; round += 1) expect(await visits(caddy.origin, 20)).toEqual([200])
  await ended
  expect(await visits(caddy.origin, 20)).toEqual([200])
  // No health check has failed yet.
  await dying.kill()
  expect(await visits(caddy.origin, 20)).toEqual([200])
  await caddy.stop()
  await other.stop()
})
