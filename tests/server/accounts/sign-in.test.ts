import { createHmac } from 'node:crypto'
import { decodeJwt } from 'jose'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Provider } from '#protocol/fields.ts'
import { type Misbehaviour, startFakeService } from '../../support/fakes/fake-service.ts'
import {
  identityToken,
  newVisitor,
  sessionOf,
  signIn,
  startServer,
  type TestServer,
} from '../../support/servers/server.ts'

type Fake = Awaited<ReturnType<typeof startFakeService>>
let provider: Fake
let server: TestServer
/** Waits only a moment for a provider. The other waits until a busy machine has answered. */
let impatient: TestServer

const inAnHour = Math.floor(Date.now() / 1000) + 3600
const anHourAgo = inAnHour - 7200
/** As https://oauth2.googleapis.com/tokeninfo writes it: numbers and booleans are text. */
const ofGoogle = {
  azp: 'our-client',
  aud: 'our-client',
  sub: '110169484474386276334',
  scope: 'https://www.googleapis.com/auth/userinfo.email openid',
  exp: String(inAnHour),
  expires_in: '3599',
  email: 'ada@example.org',
  email_verified: 'true',
  access_type: 'online',
}
const { email: _email, ...withoutEmail } = ofGoogle
const { exp: _exp, ...withoutExpiry } = ofGoogle
const googlePeople: Record<string, object> = {
  good: ofGoogle,
  renamed: { ...ofGoogle, email: 'ada.king@example.org' },
  namesake: { ...ofGoogle, sub: '2' },
  'other-client': { ...ofGoogle, aud: 'their-client' },
  unverified: { ...ofGoogle, email_verified: 'false' },
  'no-address': withoutEmail,
  expired: { ...ofGoogle, exp: String(anHourAgo) },
  'no-expiry': withoutExpiry,
  nobody: { ...ofGoogle, sub: '' },
  'no-object': ['good'],
  huge: { ...ofGoogle, more: 'x'.repeat(64 * 1024) },
}
const misbehaviours: readonly Misbehaviour[] = ['silent', 'stalls', 'no-json', 'endless', 'hangs-up', 'redirects']
const ofFacebook = {
  app_id: 'our-app',
  type: 'USER',
  application: 'Waggle',
  data_access_expires_at: inAnHour,
  expires_at: inAnHour,
  is_valid: true,
  scopes: ['email', 'public_profile'],
  user_id: '7',
}
const facebookTokens: Record<string, object> = {
  good: ofFacebook,
  lasting: { ...ofFacebook, expires_at: 0 },
  'other-app': { ...ofFacebook, app_id: 'their-app' },
  invalid: { ...ofFacebook, is_valid: false },
  expired: { ...ofFacebook, expires_at: anHourAgo },
  page: { ...ofFacebook, type: 'PAGE' },
  'someone-else': { ...ofFacebook, user_id: '8' },
  'no-address': { ...ofFacebook, user_id: '9' },
  'fails-later': ofFacebook,
}
/** /me answers for tokens of other apps, of pages and of the past too: only debug_token tells them apart. */
const facebookPerson = { id: '7', email: 'ada@example.org', first_name: 'Ada', last_name: 'Lovelace' }
const facebookPeople: Record<string, object> = { 'no-address': { id: '9', first_name: 'Ada' } }

beforeAll(async () => {
  provider = await startFakeService((path, query) => {
    const token = query.get('input_token') ?? query.get('access_token') ?? ''
    const does = misbehaviours.find((one) => one === token)
    if (does) return { does }
    if (token === 'down') return { status: 503, body: {} }
    if (token === 'busy') return { status: 429, body: ofGoogle }
    if (path === '/tokeninfo') {
      const person = googlePeople[token]
      return person ? { body: person } : { status: 400, body: { error: 'invalid_token', ...ofGoogle } }
    }
    if (path === '/graph/debug_token') {
      if (query.get('access_token') !== 'our-app|app-secret') return { status: 400, body: { error: { code: 190 } } }
      return { body: { data: facebookTokens[token] ?? { is_valid: false, error: { code: 190 } } } }
    }
    if (token === 'fails-later') return { does: 'hangs-up' }
    const proof = createHmac('sha256', 'app-secret').update(token).digest('hex')
    if (query.get('appsecret_proof') !== proof) return { status: 400, body: { error: { code: 100 } } }
    return { body: facebookPeople[token] ?? facebookPerson }
  })
  const providers = {
    GOOGLE_CLIENT_ID: 'our-client',
    GOOGLE_TOKENINFO_URL: `${provider.url}/tokeninfo`,
    FACEBOOK_APP_ID: 'our-app',
    FACEBOOK_APP_SECRET: 'app-secret',
    FACEBOOK_GRAPH_URL: `${provider.url}/graph`,
  }
  server = await startServer(providers)
  impatient = await startServer({ ...providers, PROVIDER_TIMEOUT_MS: '500' })
})
afterAll(async () => {
  await server.stop()
  await impatient.stop()
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
  expect(await visitor.request('readBlockStatus', { userEmailAddress: 'ada@example.org' })).toMatchObject({
    status: 'Valid',
  })
})

test.each([
  ['Google', 'other-client', 401, 'provider-refused'],
  ['Google', 'made-up', 401, 'provider-refused'],
  ['Google', 'expired', 401, 'provider-refused'],
  ['Google', 'no-expiry', 401, 'provider-refused'],
  ['Google', 'nobody', 401, 'provider-refused'],
  ['Google', 'no-object', 401, 'provider-refused'],
  ['Google', 'unverified', 400, 'email-missing'],
  ['Google', 'no-address', 400, 'email-missing'],
  ['Google', 'down', 502, 'provider-unavailable'],
  ['Google', 'busy', 502, 'provider-unavailable'],
  ['Google', 'huge', 502, 'provider-unavailable'],
  ...misbehaviours.map((token) => ['Google', token, 502, 'provider-unavailable'] as const),
  ['Facebook', 'other-app', 401, 'provider-refused'],
  ['Facebook', 'invalid', 401, 'provider-refused'],
  ['Facebook', 'expired', 401, 'provider-refused'],
  ['Facebook', 'page', 401, 'provider-refused'],
  ['Facebook', 'someone-else', 401, 'provider-refused'],
  ['Facebook', 'made-up', 401, 'provider-refused'],
  ['Facebook', 'no-address', 400, 'email-missing'],
  ['Facebook', 'down', 502, 'provider-unavailable'],
  ['Facebook', 'fails-later', 502, 'provider-unavailable'],
  ...misbehaviours.map((token) => ['Facebook', token, 502, 'provider-unavailable'] as const),
] as const)('%s: %s is refused', async (source, token, status, code) => {
  const on = misbehaviours.some((one) => one === token) ? impatient : server
  const { visitor, ...refusal } = await setTokens(on, source, token, 'ada@example.org')
  expect(refusal).toMatchObject({ status, answer: { code } })
  expect(visitor.cookies.has('access')).toBe(false)
})

test('a Facebook token that does not expire signs in', async () => {
  expect(await setTokens(server, 'Facebook', 'lasting', 'ada@example.org')).toMatchObject({ status: 200 })
})

test('the subject is the account: an address that changed is the same person, somebody else with that address is not', async () => {
  const accountOf = async (token: string, email: string) => {
    const { visitor } = await setTokens(server, 'Google', token, email)
    return decodeJwt(visitor.cookies.get('access') ?? '').sub
  }
  const ada = await accountOf('good', 'ada@example.org')
  expect(await accountOf('renamed', 'ada.king@example.org')).toBe(ada)
  expect(await accountOf('namesake', 'ada@example.org')).not.toBe(ada)
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
  expect(await setTokens(server, 'Google', accessToken, 'ada@example.org')).toMatchObject({ status: 401 })
})

test('a provider that is not configured signs nobody in', async () => {
  const own = await startServer({ GOOGLE_CLIENT_ID: 'x', GOOGLE_TOKENINFO_URL: `${provider.url}/tokeninfo` })
  expect(await setTokens(own, 'Facebook', 'good', 'ada@example.org')).toMatchObject({
    status: 401,
    answer: { code: 'provider-refused' },
  })
  await own.stop()
})

test('the same person is the same account, and each provider has its own', async () => {
  const own = await startServer()
  await signIn(own, { email: 'ada@example.org' })
  const names = { EmailAddress: 'ada@example.org', FirstName: 'A', LastName: 'L' }
  const google = await signIn(own, { email: 'ada@example.org', profile: false })
  expect((await google.request('addOauthUser', { ...names, SourceName: 'Google' })).profile).not.toBeNull()
  const facebook = await signIn(own, { email: 'ada@example.org', source: 'Facebook', profile: false })
  expect((await facebook.request('addOauthUser', { ...names, SourceName: 'Facebook' })).profile).toBeNull()
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
