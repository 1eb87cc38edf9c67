import * as v from 'valibot'
import { expect, onTestFinished, test } from 'vitest'
import { call, hubPerson } from '../../support/hub/hub-person.ts'
import { startCollector } from '../../support/servers/collector.ts'
import { signIn } from '../../support/servers/server.ts'
import { startServerProcess } from '../../support/servers/server-process.ts'

const lineSchema = v.looseObject({ msg: v.optional(v.string(), '') })

test('each request of an endpoint and each match ends with one line, which a trace joins', async () => {
  const collector = await startCollector()
  onTestFinished(collector.close)
  const written: string[] = []
  const env = { LOG_LEVEL: 'info', OTEL_EXPORTER_OTLP_ENDPOINT: collector.url }
  const server = await startServerProcess(env, (line) => void written.push(line))
  const at = { origin: server.url, url: server.url }
  const visitors = await Promise.all(
    ['ada', 'bela'].map((name) => signIn(at, { email: `${name}@example.org`, nickName: name })),
  )
  const [ada, bela] = visitors.map((visitor) => hubPerson(at, visitor))
  if (!ada || !bela) throw new Error('two were asked for')
  const { session, caller, callee } = await call(ada, bela)
  const refused = await caller.visitor.send('readBlockStatus', { userEmailAddress: 'somebody@example.org' })
  const told = callee.next('SessionTerminated')
  await caller.client.stop()
  await told
  await fetch(`${server.url}/healthz`)
  await fetch(`${server.url}/api/no-such/${session}`)
  expect(await server.stop()).toBe(0)

  const lines = written.filter((line) => line.startsWith('{')).map((line) => v.parse(lineSchema, JSON.parse(line)))
  const requests = lines.filter(({ msg }) => msg === 'request')
  expect(requests.filter(({ status }) => status === 403)).toMatchObject([
    {
      method: 'GET',
      route: '/api/users/block/get',
      reqId: refused.headers.get('x-request-id'),
      ms: expect.any(Number),
    },
  ])
  const traces = new Set(collector.collected.spans.map(({ traceId }) => traceId))
  expect(requests.filter(({ traceId }) => typeof traceId !== 'string' || !traces.has(traceId))).toEqual([])
  expect(requests.filter(({ route }) => typeof route !== 'string' || !route.startsWith('/api/'))).toEqual([])
  expect(JSON.stringify(requests)).not.toContain(session)
  expect(new Set(requests.map(({ reqId }) => reqId)).size).toBe(requests.length)
  const ended = lines.filter(({ msg }) => msg === 'matching: match ended')
  expect(ended).toMatchObject([{ match: session, connected: true, why: expect.any(String), ms: expect.any(Number) }])
  const made = collector.collected.spans.find(({ name }) => name === 'match')
  expect(ended[0]?.traceId).toBe(made?.traceId)
  // Nothing of a person, and nothing that a client sent.
  const own = ['level', 'time', 'pid', 'hostname', 'traceId', 'msg', 'ms']
  const fields = (some: object[]) => [...new Set(some.flatMap(Object.keys))].filter((name) => !own.includes(name))
  expect(fields(requests)).toEqual(['reqId', 'method', 'route', 'status'])
  expect(fields(ended).toSorted()).toEqual(['connected', 'match', 'part', 'why'])
})
