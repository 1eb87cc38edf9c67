import { afterAll, beforeAll, expect, test } from 'vitest'
import { curtainModels } from '#protocol/call-counts.ts'
import { parse } from '#protocol/parse.ts'
import { problemSchema } from '#protocol/problem.ts'
import { movableClock } from '../../support/movable-clock.ts'
import { readMetrics } from '../../support/servers/read-metrics.ts'
import { type SignedInVisitor, signIn, startServer, type TestServer } from '../../support/servers/server.ts'

const [MODEL] = curtainModels
const counts = { model: MODEL, looks: 70, flagged: 4, veils: 1, shownAnyway: 1 }

let server: TestServer
let ada: SignedInVisitor
beforeAll(async () => {
  server = await startServer({}, { clock: movableClock() })
  ada = await signIn(server, { email: 'ada@example.org' })
})
afterAll(() => server.stop())

const post = (body: unknown, send: (address: string, init: RequestInit) => Promise<Response> = ada.fetch) =>
  send(`${server.origin}/api/curtain/counts`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: server.origin, 'x-requested-with': 'XMLHttpRequest' },
    body: JSON.stringify(body),
  })

async function growthBy(act: () => Promise<unknown>) {
  const before = await readMetrics(server)
  await act()
  const after = await readMetrics(server)
  return (name: string, model: string) => {
    const series = `waggle_curtain_${name}_total{model="${model}"}`
    return after(series) - before(series)
  }
}

test('the counts of a call are added to those of the model', async () => {
  const grown = await growthBy(() => ada.request('addCurtainCounts', counts))
  const names = ['looks', 'flagged', 'veils', 'shown_anyway']
  expect(names.map((name) => grown(name, MODEL))).toEqual([70, 4, 1, 1])
})

test('a model that the server does not know makes no series of its own', async () => {
  const bob = await signIn(server, { email: 'bob@example.org' })
  const grown = await growthBy(async () => {
    for (const model of ['made-up', 'made-up-too']) await bob.request('addCurtainCounts', { ...counts, model })
  })
  expect(grown('looks', 'other')).toBe(140)
  expect(await (await fetch(`${server.origin}/metrics`)).text()).not.toContain('made-up')
})

test('counts without a login are refused', async () => {
  expect((await post(counts, fetch)).status).toBe(401)
})

test.each([
  ['model', 'a model with other characters', { model: 'x"} 1\nup 0' }],
  ['model', 'a long name', { model: 'x'.repeat(41) }],
  ['model', 'no name', { model: undefined }],
  ['looks', 'more looks than a day has', { looks: 1e9 }],
  ['looks', 'a negative number', { looks: -1 }],
  ['looks', 'a part of a look', { looks: 0.5 }],
  ['looks', 'a text', { looks: '70' }],
  ['flagged', 'more flagged looks than looks', { flagged: 71 }],
  ['veils', 'more veils than a call can have', { looks: 1_000, flagged: 1_000, veils: 101 }],
  ['veils', 'more veils than flagged looks', { veils: 5 }],
  ['shownAnyway', 'more lifted veils than veils', { shownAnyway: 2 }],
])('%s: %s is refused, with the name of the field', async (field, _, change) => {
  // Each from an account of its own: the limit of requests is for one account.
  const visitor = await signIn(server, { email: `${crypto.randomUUID()}@example.org` })
  const response = await post({ ...counts, ...change }, visitor.fetch)
  expect(response.status).toBe(400)
  expect(parse(problemSchema, await response.json())).toMatchObject({ field })
})

test('one account is refused after ten a minute', async () => {
  const eve = await signIn(server, { email: 'eve@example.org' })
  for (let sent = 0; sent < 10; sent += 1) await eve.request('addCurtainCounts', counts)
  expect((await post(counts, eve.fetch)).status).toBe(429)
})

test('an account that reports more looks than a day has moves the counts no further', async () => {
  const eve = await signIn(server, { email: 'mallory@example.org' })
  const grown = await growthBy(async () => {
    for (let call = 0; call < 5; call += 1) await eve.request('addCurtainCounts', { ...counts, looks: 40_000 })
  })
  expect(grown('looks', MODEL)).toBe(80_000)
})
