import { createHmac } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { DAY_MS, HOUR_MS } from '#protocol/durations.ts'
import { type MovableClock, movableClock } from '../../support/movable-clock.ts'
import { newVisitor, startServer, type TestServer } from '../../support/servers/server.ts'
import { putStatus } from '../../support/stores/put-status.ts'
import type { Store } from '../../support/stores/store.ts'

const SECRET = 'the secret that Facebook shares with us'
const facebook = { FACEBOOK_APP_ID: 'app', FACEBOOK_APP_SECRET: SECRET, FACEBOOK_GRAPH_URL: 'http://127.0.0.1:9' }
/** One server for all tests, so each test has accounts of its own. */
let clock: MovableClock
let server: TestServer

beforeAll(async () => {
  clock = movableClock()
  server = await startServer({ ...facebook, HOUSEKEEPING_MS: '20' }, { clock })
})
afterAll(() => server.stop())
// The requests of the test before count no more.
beforeEach(() => clock.forward(HOUR_MS))

const base64url = (text: string) => Buffer.from(text).toString('base64url')

/** Signs a payload as Facebook does: signature and payload, each in base64url, joined by a dot. */
function signedRequest(payload: object, secret = SECRET): string {
  const encoded = base64url(JSON.stringify(payload))
  return `${createHmac('sha256', secret).update(encoded).digest('base64url')}.${encoded}`
}

const payloadOf = (userId: string) => ({
  user_id: userId,
  algorithm: 'HMAC-SHA256',
  issued_at: Math.floor(clock.now() / 1000),
  expires: 0,
})

/** Sends a request as Facebook does: a form, without Origin, cookie and the product's headers. */
function post(signed: string, type = 'application/x-www-form-urlencoded'): Promise<Response> {
  return fetch(`${server.origin}/api/facebook/data-deletion`, {
    method: 'POST',
    headers: { 'content-type': type },
    body: new URLSearchParams({ signed_request: signed }).toString(),
  })
}

type Answer = { url: string; confirmation_code: string }

async function codeOf(response: Response): Promise<string> {
  expect(response.status).toBe(200)
  const answer = (await response.json()) as Answer
  expect(answer).toEqual({
    url: `${server.origin}/deletion-status?code=${answer.confirmation_code}`,
    confirmation_code: expect.stringMatching(/^[\w-]{22}$/),
  })
  return answer.confirmation_code
}

const stateOf = async (code: string) => (await newVisitor(server).request('readDeletionStatus', { code })).state

type Provider = 'Facebook' | 'Google'

/** Adds accounts with this subject at each provider. */
async function addPerson(subject: string, ...providers: Provider[]): Promise<void> {
  await server.edit((store) => signInAt(store, subject, ...providers))
}

async function signInAt(store: Store, subject: string, ...providers: Provider[]): Promise<void> {
  for (const provider of providers.length === 0 ? (['Facebook'] as const) : providers)
    await store.accounts.signIn({ provider, subject, email: 'f@example.org', firstName: 'F', lastName: 'B' }, 1)
}

test('a signed request records the deletion, its code returns the state, and the deletion is carried out', async () => {
  await addPerson('both', 'Facebook', 'Google')
  const code = await codeOf(await post(signedRequest(payloadOf('both'))))
  expect(await stateOf(code)).toBe('waiting')
  clock.forward(3 * DAY_MS)
  await expect.poll(() => stateOf(code)).toBe('done')
  await server.edit(async (store) => {
    expect(await store.personalData.accountOf('Facebook', 'both')).toBeNull()
    // The same subject at the other provider is another user.
    expect(await store.personalData.accountOf('Google', 'both')).not.toBeNull()
  })
})

test('a suspension outlives a deletion through Facebook, and nothing is kept of users without a case', async () => {
  await server.edit(async (store) => {
    for (const subject of ['suspended', 'no case']) await signInAt(store, subject)
    const id = (await store.personalData.accountOf('Facebook', 'suspended')) ?? ''
    const account = await store.accounts.find(id)
    if (!account) throw new Error('the person is not there')
    await putStatus(store, account, 'Appeal', { until: clock.now() + 9 * DAY_MS })
  })
  const codes = [await codeOf(await post(signedRequest(payloadOf('suspended'))))]
  codes.push(await codeOf(await post(signedRequest(payloadOf('no case')))))
  clock.forward(3 * DAY_MS)
  for (const code of codes) await expect.poll(() => stateOf(code)).toBe('done')
  await server.edit(async (store) => {
    expect(await store.expiry.remove('kept-cases', clock.now() + 5 * DAY_MS, 10)).toBe(0)
    expect(await store.expiry.remove('kept-cases', clock.now() + 6 * DAY_MS, 10)).toBe(1)
  })
})

test('an unknown user gets a code as well, with the state done', async () => {
  expect(await stateOf(await codeOf(await post(signedRequest(payloadOf('nobody')))))).toBe('done')
})

test('a repeated request starts no deletion, even after the user has cancelled the first', async () => {
  await addPerson('repeating')
  const signed = signedRequest(payloadOf('repeating'))
  const first = await codeOf(await post(signed))
  let id = ''
  await server.edit(async (store) => {
    id = (await store.personalData.accountOf('Facebook', 'repeating')) ?? ''
    await store.deletions.cancel(id, clock.now())
  })
  const second = await codeOf(await post(signed))
  expect(second).not.toBe(first)
  expect(await Promise.all([first, second].map(stateOf))).toEqual(['cancelled', 'cancelled'])
  await server.edit(async (store) => expect(await store.deletions.pending(id)).toBeNull())
  // A request with a new signature counts.
  clock.forward(1_000)
  expect(await stateOf(await codeOf(await post(signedRequest(payloadOf('repeating')))))).toBe('waiting')
})

test('a second request while the first is pending is the same deletion', async () => {
  await addPerson('pending')
  const first = await codeOf(await post(signedRequest(payloadOf('pending'))))
  clock.forward(DAY_MS)
  const second = await codeOf(await post(signedRequest(payloadOf('pending'))))
  clock.forward(2 * DAY_MS)
  for (const code of [first, second]) await expect.poll(() => stateOf(code)).toBe('done')
})

test('a legal hold shows in the state', async () => {
  await addPerson('held')
  const code = await codeOf(await post(signedRequest(payloadOf('held'))))
  await server.edit(async (store) => {
    const accountId = (await store.personalData.accountOf('Facebook', 'held')) ?? ''
    await store.legalHolds.set({ accountId, reason: 'r', setBy: 's', at: 1 })
  })
  expect(await stateOf(code)).toBe('held')
})

const now = () => Math.floor(clock.now() / 1000)
const wrong: [string, () => string][] = [
  ['signed with another secret', () => signedRequest(payloadOf('4711'), 'not the secret')],
  ['changed after it was signed', () => `${signedRequest(payloadOf('1')).split('.')[0]}.${base64url('{}')}`],
  ['of another algorithm', () => signedRequest({ ...payloadOf('4711'), algorithm: 'none' })],
  ['that names nobody', () => signedRequest({ algorithm: 'HMAC-SHA256', issued_at: now() })],
  ['of the day before yesterday', () => signedRequest({ ...payloadOf('4711'), issued_at: now() - 2 * 86_400 })],
  ['from the day after tomorrow', () => signedRequest({ ...payloadOf('4711'), issued_at: now() + 2 * 86_400 })],
  ['without a signature', () => `.${base64url(JSON.stringify(payloadOf('4711')))}`],
  ['with a third part', () => `${signedRequest(payloadOf('4711'))}.x`],
  ['that is nothing', () => ''],
]

test.each(wrong)('a request %s is refused', async (_, make) => {
  const response = await post(make())
  expect(response.status).toBe(400)
  expect(response.headers.get('content-type')).toMatch(/^application\/problem\+json/)
})

test('requests that are refused change nothing', async () => {
  await addPerson('4711')
  for (const [, make] of wrong) await post(make())
  await server.edit(async (store) => {
    const id = (await store.personalData.accountOf('Facebook', '4711')) ?? ''
    expect(id).not.toBe('')
    expect(await store.deletions.pending(id)).toBeNull()
  })
})

test('the endpoint accepts only the form of Facebook, and other endpoints do not accept that form', async () => {
  for (const type of ['application/json', 'text/plain', 'multipart/form-data; boundary=x'])
    expect((await post(signedRequest(payloadOf('4711')), type)).status).toBe(415)
  const response = await newVisitor(server).fetch('/api/cookie/access-refresh-token/set', {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: 'a=b',
  })
  expect(response.status).toBe(415)
})

test('without Facebook the endpoint does not exist, and an unknown code is not found', async () => {
  const other = await startServer()
  const response = await fetch(`${other.origin}/api/facebook/data-deletion`, {
    method: 'POST',
    body: new URLSearchParams({ signed_request: signedRequest(payloadOf('1')) }),
  })
  expect(response.status).toBe(404)
  expect((await newVisitor(other).send('readDeletionStatus', { code: 'A'.repeat(22) })).status).toBe(404)
  expect((await newVisitor(other).send('readDeletionStatus', { code: 'short' })).status).toBe(400)
  await other.stop()
})
