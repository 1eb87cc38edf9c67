import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Provider } from '#protocol/fields.ts'
import { startFakeService } from '../../support/fake-service.ts'
import { identityToken, newVisitor, sessionOf, signIn, startServer, type TestServer } from '../../support/server.ts'

type Fake = Awaited<ReturnType<typeof startFakeService>>
let provider: Fake
let server: TestServer

const googlePeople: Record<string, object> = {
  good: { aud: 'our-client', sub: '1', email: 'ada@example.org', email_verified: 'true' },
  'other-client': { aud: 'their-client', sub: '1', email: 'ada@example.org', email_verified: 'true' },
  unverified: { aud: 'our-client', sub: '1', email: 'ada@example.org', email_verified: 'false' },
}
const facebookTokens: Record<string, object> = {
  good: { app_id: 'our-app', is_valid: true, user_id: '7' },
  'other-app': { app_id: 'their-app', is_valid: true, user_id: '7' },
  expired: { app_id: 'our-app', is_valid: false, user_id: '7' },
  'someone-else': { app_id: 'our-app', is_valid: true, user_id: '8' },
  'no-address': { app_id: 'our-app', is_valid: true, user_id: '9' },
}
const facebookPeople: Record<string, object> = {
  good: { id: '7', email: 'ada@example.org', first_name: 'Ada', last_name: 'Lovelace' },
  'someone-else': { id: '7', email: 'ada@example.org' },
  'no-address': { id: '9', first_name: 'Ada' },
}

beforeAll(async () => {
  provider = await startFakeService((path, query) => {
    const token = query.get('access_token') ?? ''
    if (token === 'down') return { status: 503, body: {} }
    if (path === '/tokeninfo') return { body: googlePeople[token] ?? { error: 'invalid_token' } }
    if (path === '/graph/debug_token') {
      const secret = token === 'our-app|app-secret'
      return { body: { data: (secret && facebookTokens[query.get('input_token') ?? '']) || { is_valid: false } } }
    }
    const proven = /^[0-9a-f]{64}$/.test(query.get('appsecret_proof') ?? '')
    return { body: (proven && facebookPeople[token]) || { error: {} } }
  })
  server = await startServer({
    GOOGLE_CLIENT_ID: 'our-client',
    GOOGLE_TOKENINFO_URL: `${provider.url}/tokeninfo`,
    FACEBOOK_APP_ID: 'our-app',
    FACEBOOK_APP_SECRET: 'app-secret',
    FACEBOOK_GRAPH_URL: `${provider.url}/graph`,
  })
})
afterAll(async () => {
  await server.stop()
  await provider.close()
})

async function setTokens(on: TestServer, source: Provider, sourceAccessToken: string, userEmailAddress: string) {
  const visitor = newVisitor(on)
  const userSessionId = await sessionOf(visitor)
  const response = await visitor.send('setTokens', {
    userEmailAddress,
    userSessionId,
    sourceAccessToken,
    platformType: 'Web',
    source,
  })
  return { visitor, status: response.status, answer: (await response.json()) as { code?: string; field?: string } }
}

test.each(['Google', 'Facebook'] as const)('a token that %s vouches for signs in', async (source) => {
  const { visitor, status } = await setTokens(server, source, 'good', 'ada@example.org')
  expect(status).toBe(200)
  expect(await visitor.call('readBlockStatus', { userEmailAddress: 'ada@example.org' })).toMatchObject({
    status: 'Valid',
  })
})

test.each([
  ['Google', 'other-client', 403, 'provider-refused'],
  ['Google', 'made up', 403, 'provider-refused'],
  ['Google', 'unverified', 400, 'email-missing'],
  ['Google', 'down', 503, 'unavailable'],
  ['Facebook', 'other-app', 403, 'provider-refused'],
  ['Facebook', 'expired', 403, 'provider-refused'],
  ['Facebook', 'someone-else', 403, 'provider-refused'],
  ['Facebook', 'made up', 403, 'provider-refused'],
  ['Facebook', 'no-address', 400, 'email-missing'],
] as const)('%s: %s is refused', async (source, token, status, code) => {
  const { visitor, ...refusal } = await setTokens(server, source, token, 'ada@example.org')
  expect(refusal).toMatchObject({ status, answer: { code } })
  expect(visitor.cookies.has('access')).toBe(false)
})

test("the provider's address counts, not the one that was sent", async () => {
  const { status, answer } = await setTokens(server, 'Google', 'good', 'bob@example.org')
  expect(status).toBe(403)
  expect(answer).toMatchObject({ code: 'forbidden', field: 'userEmailAddress' })
})

test('there is no development identity where a provider is configured', async () => {
  const visitor = newVisitor(server)
  expect((await visitor.fetch('/dev-identity', { headers: { accept: 'application/json' } })).status).toBe(404)
  expect((await visitor.fetch('/dev-identity/page.js')).status).toBe(404)
  const own = await startServer()
  const accessToken = await identityToken(newVisitor(own), { email: 'ada@example.org' })
  await own.stop()
  expect(await setTokens(server, 'Google', accessToken, 'ada@example.org')).toMatchObject({ status: 403 })
})

test('a provider that is not configured signs nobody in', async () => {
  const own = await startServer({ GOOGLE_CLIENT_ID: 'x', GOOGLE_TOKENINFO_URL: `${provider.url}/tokeninfo` })
  expect(await setTokens(own, 'Facebook', 'good', 'ada@example.org')).toMatchObject({
    status: 403,
    answer: { code: 'provider-refused' },
  })
  await own.stop()
})

test('the same person is the same account, and each provider has its own', async () => {
  const own = await startServer()
  await signIn(own, { email: 'ada@example.org' })
  const names = { EmailAddress: 'ada@example.org', FirstName: 'A', LastName: 'L' }
  const google = await signIn(own, { email: 'ada@example.org', profile: false })
  expect((await google.call('addOauthUser', { ...names, SourceName: 'Google' })).profile).not.toBeNull()
  const facebook = await signIn(own, { email: 'ada@example.org', source: 'Facebook', profile: false })
  expect((await facebook.call('addOauthUser', { ...names, SourceName: 'Facebook' })).profile).toBeNull()
  await own.stop()
})

test('the development sign-in is a page that the strict policy allows', async () => {
  const own = await startServer()
  const visitor = newVisitor(own)
  const page = await visitor.fetch('/dev-identity?source=Google')
  expect(page.headers.get('content-security-policy')).toContain("script-src 'self';")
  const html = await page.text()
  for (const words of ['Development sign-in', 'E-mail', 'First name', 'Last name', 'Continue', 'Cancel'])
    expect(html).toContain(words)
  expect(html).not.toMatch(/<script>|style=|onclick/)
  for (const [, path = ''] of html.matchAll(/(?:href|src)="([^"]+)"/g))
    expect((await visitor.fetch(path)).status).toBe(200)
  await own.stop()
})

test('the development identity refuses bad input and other origins', async () => {
  const own = await startServer()
  const visitor = newVisitor(own)
  const send = (body: object, headers = {}) =>
    visitor.fetch('/dev-identity/token', {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    })
  const person = { source: 'Google', email: 'ada@example.org', firstName: 'Ada', lastName: '' }
  expect((await send(person)).status).toBe(200)
  expect((await send(person, { origin: 'https://evil.example.org' })).status).toBe(403)
  expect((await send(person, { 'x-requested-with': 'x' })).status).toBe(403)
  for (const [field, value] of Object.entries({ source: 'Myspace', email: 'nobody', firstName: 7 })) {
    const refused = await send({ ...person, [field]: value })
    expect(refused.status).toBe(400)
    expect(await refused.json()).toMatchObject({ field })
  }
  await own.stop()
})

test('somebody without an address cannot sign in', async () => {
  const own = await startServer()
  const accessToken = await identityToken(newVisitor(own), { email: '' })
  expect(await setTokens(own, 'Google', accessToken, 'NA')).toMatchObject({ status: 400 })
  expect(await setTokens(own, 'Google', accessToken, 'ada@example.org')).toMatchObject({
    status: 400,
    answer: { code: 'email-missing' },
  })
  await own.stop()
})

test('the IP lookup asks the configured service, and answers NA when it fails', async () => {
  let reply: { status?: number; body: unknown } = { body: {} }
  const lookup = await startFakeService((path, _query, headers) =>
    path === '/127.0.0.1' && headers.authorization === 'Bearer lookup-token' ? reply : { status: 500, body: {} },
  )
  const own = await startServer({ IP_LOOKUP_URL: `${lookup.url}/{ip}`, IP_LOOKUP_TOKEN: 'lookup-token' })
  const ask = async () => (await fetch(`http://127.0.0.1:${own.port}/api/ip/get`)).json()
  const nothing = { ip: '127.0.0.1', hostname: 'NA', city: 'NA', country: 'NA', loc: 'NA' }
  reply = { body: { ip: '127.0.0.1', city: 'Zürich', country: 'CH', loc: '47.4,8.5' } }
  expect(await ask()).toEqual({ ...nothing, city: 'Zürich', country: 'CH', loc: '47.4,8.5' })
  for (const bad of [{ status: 500, body: {} }, { body: { city: 7 } }, { body: 'text' }]) {
    reply = bad
    expect(await ask()).toEqual(nothing)
  }
  await own.stop()
  await lookup.close()
})
