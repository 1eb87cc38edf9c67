import { expect, onTestFinished, test } from 'vitest'
import { call, hubPerson } from '../../support/hub/hub-person.ts'
import { type CollectedSpan, startCollector } from '../../support/servers/collector.ts'
import { signIn, startServer } from '../../support/servers/server.ts'

async function traced(env: Record<string, string> = {}) {
  const collector = await startCollector()
  onTestFinished(collector.close)
  const server = await startServer({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, ...env })
  let stopped: Promise<void> | null = null
  const stop = () => {
    stopped ??= server.stop()
    return stopped
  }
  onTestFinished(stop)
  return { server, stop, collected: collector.collected }
}

function attribute(span: CollectedSpan | undefined, key: string): string | number | undefined {
  const value = span?.attributes.find((one) => one.key === key)?.value
  return value?.stringValue ?? value?.intValue
}

test('requests, hub invocations, matches and their store queries are spans of one trace', async () => {
  const { server, stop, collected } = await traced({
    OTEL_SERVICE_NAME: 'waggle-test',
    OTEL_EXPORTER_OTLP_HEADERS: 'x-team=people',
  })
  const names = ['adalgisa', 'bertrand'] as const
  const people = await Promise.all(
    names.map((name) => signIn(server, { email: `${name}@example.org`, nickName: `Nick of ${name}` })),
  )
  const [ada, bob] = people.map((visitor) => hubPerson(server, visitor))
  if (!ada || !bob) throw new Error('two were asked for')
  const { session, caller, callee } = await call(ada, bob)
  await caller.client.invoke('SendChatMessageToPeer', session, callee.client.connectionId, 'a secret of two')
  await caller.visitor.send('readBlockStatus', { userEmailAddress: 'somebody-else@example.org' })
  await stop()

  const { spans, services, headers, text } = collected
  expect(new Set(services)).toEqual(new Set(['waggle-test']))
  expect(new Set(headers)).toEqual(new Set(['POST /v1/traces people']))
  const named = (name: string) => spans.filter((span) => span.name === name)

  const [entered] = named('POST /api/user/profile/add')
  expect(attribute(entered, 'http.response.status_code')).toBe(200)
  const saved = named('store accounts.saveProfile').find(({ traceId }) => traceId === entered?.traceId)
  expect(saved?.parentSpanId).toBe(entered?.spanId)

  const refused = named('GET /api/users/block/get').find((span) => attribute(span, 'error.type') !== undefined)
  expect(attribute(refused, 'error.type')).toBe('forbidden')
  expect(attribute(refused, 'http.response.status_code')).toBe(403)

  const [match] = named('match')
  const joined = named('hub InitiateMatchingWithPeers').find(({ spanId }) => spanId === match?.parentSpanId)
  expect(joined?.traceId).toBe(match?.traceId)
  expect(named('store matchRecords.open')[0]?.parentSpanId).toBe(match?.spanId)
  expect(named('hub SendChatMessageToPeer')).toHaveLength(1)

  const tokens = people.flatMap(({ cookies, sessionId }) => [sessionId, ...cookies.values()])
  for (const secret of [...names, 'Nick of', 'a secret of two', 'example.org', '127.0.0.1', session, ...tokens])
    expect(text).not.toContain(secret)
})

test('an unreachable collector does no harm, and a share of 0 sends nothing', async () => {
  const away = await startServer({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' })
  expect((await fetch(`${away.origin}/api/server/time/get`)).status).toBe(200)
  await away.stop()

  const { server, stop, collected } = await traced({ TRACE_PERCENT: '0' })
  await fetch(`${server.origin}/api/server/time/get`)
  await stop()
  expect(collected.text).toBe('')
})
