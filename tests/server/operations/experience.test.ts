import { afterAll, beforeAll, expect, test } from 'vitest'
import { parse } from '#protocol/parse.ts'
import { problemSchema } from '#protocol/problem.ts'
import { movableClock } from '../../support/movable-clock.ts'
import { readMetrics } from '../../support/servers/read-metrics.ts'
import { type SignedInVisitor, signIn, startServer, type TestServer } from '../../support/servers/server.ts'

const experience = {
  outcome: 'connected',
  browser: 'safari',
  firstFrameMs: 1_200,
  picture: { ms: 120_000, freezes: 3 },
  inpMs: 90,
} as const

let server: TestServer
let ada: SignedInVisitor
beforeAll(async () => {
  server = await startServer({}, { clock: movableClock() })
  ada = await signIn(server, { email: 'ada@example.org' })
})
afterAll(() => server.stop())

const post = (body: unknown, send: (address: string, init: RequestInit) => Promise<Response>) =>
  send(`${server.origin}/api/call/experience/add`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: server.origin, 'x-requested-with': 'XMLHttpRequest' },
    body: JSON.stringify(body),
  })
const newcomer = () => signIn(server, { email: `${crypto.randomUUID()}@example.org` })

async function growthBy(act: () => Promise<unknown>) {
  const before = await readMetrics(server)
  await act()
  const after = await readMetrics(server)
  return (name: string) => after(`waggle_experience_${name}`) - before(`waggle_experience_${name}`)
}

async function reportFrom(country: string): Promise<void> {
  const visitor = await newcomer()
  await visitor.request('addIp', {
    UserSessionId: visitor.sessionId,
    IpAddress: '192.0.2.1',
    HostName: 'NA',
    City: 'NA',
    Country: country,
    Coordinates: 'NA',
  })
  await visitor.request('addExperience', experience)
}

test('one report moves the times, the freezes a minute and the outcome', async () => {
  const grown = await growthBy(() => ada.request('addExperience', experience))
  const labels = '{browser="safari",country="other"}'
  expect(grown('matches_total{outcome="connected",browser="safari",country="other"}')).toBe(1)
  expect(grown(`first_frame_seconds_sum${labels}`)).toBeCloseTo(1.2)
  expect(grown(`freezes_per_minute_sum${labels}`)).toBeCloseTo(1.5)
  expect(grown(`inp_seconds_sum${labels}`)).toBeCloseTo(0.09)
})

test('a match without a call counts as such, and a short picture is not said to freeze', async () => {
  const grown = await growthBy(async () => {
    await ada.request('addExperience', { outcome: 'failed', browser: 'chrome' })
    await ada.request('addExperience', { ...experience, browser: 'chrome', picture: { ms: 900, freezes: 1 } })
  })
  expect(grown('matches_total{outcome="failed",browser="chrome",country="other"}')).toBe(1)
  expect(grown('first_frame_seconds_count{browser="chrome",country="other"}')).toBe(1)
  expect(grown('freezes_per_minute_count{browser="chrome",country="other"}')).toBe(0)
})

test('a country is named once twenty people of it have reported, and what is no country never', async () => {
  const ofPortugal = 'matches_total{outcome="connected",browser="safari",country="PT"}'
  const few = await growthBy(async () => {
    for (let person = 0; person < 19; person += 1) await reportFrom('PT')
  })
  expect(few(ofPortugal)).toBe(0)
  const enough = await growthBy(() => reportFrom('PT'))
  expect(enough(ofPortugal)).toBe(1)
  for (let person = 0; person < 20; person += 1) await reportFrom('x"} 1\nup 0')
  const text = await (await fetch(`${server.origin}/metrics`)).text()
  const countries = [...text.matchAll(/^waggle_experience_.*country="([^"]*)"/gm)].map(([, country]) => country)
  expect([...new Set(countries)].sort()).toEqual(['PT', 'other'])
})

test('a report without a login is refused', async () => {
  expect((await post(experience, fetch)).status).toBe(401)
})

test.each([
  ['outcome', 'an outcome that does not exist', { outcome: 'wonderful' }],
  ['browser', 'a browser of its own', { browser: 'x"} 1\nup 0' }],
  ['browser', 'no browser', { browser: undefined }],
  ['firstFrameMs', 'a first picture after an hour', { firstFrameMs: 3_600_000 }],
  ['firstFrameMs', 'a negative time', { firstFrameMs: -1 }],
  ['firstFrameMs', 'no time', { firstFrameMs: undefined }],
  ['inpMs', 'a text', { inpMs: '90' }],
  ['inpMs', 'a press that took a year', { inpMs: 3e10 }],
  ['picture.ms', 'a call of a week', { picture: { ms: 7 * 86_400_000, freezes: 0 } }],
  ['picture.freezes', 'more freezes than fit into the call', { picture: { ms: 10_000, freezes: 68 } }],
  ['picture.freezes', 'a part of a freeze', { picture: { ms: 10_000, freezes: 0.5 } }],
])('%s: %s is refused, with the name of the field', async (field, _, change) => {
  const response = await post({ ...experience, ...change }, (await newcomer()).fetch)
  expect(response.status).toBe(400)
  expect(parse(problemSchema, await response.json())).toMatchObject({ field })
})

test('what no field asks for is not counted, a country least of all', async () => {
  const response = await post({ ...experience, browser: 'firefox', country: 'FR' }, (await newcomer()).fetch)
  expect(response.status).toBe(200)
  expect(await (await fetch(`${server.origin}/metrics`)).text()).not.toContain('country="FR"')
})

test('one account is refused after twenty a minute', async () => {
  const eve = await newcomer()
  for (let sent = 0; sent < 20; sent += 1) await eve.request('addExperience', experience)
  expect((await post(experience, eve.fetch)).status).toBe(429)
})
