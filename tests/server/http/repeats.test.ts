import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { API_BASE, IDEMPOTENCY_KEY } from '#protocol/constants.ts'
import { type CallName, calls } from '#protocol/rest.ts'
import { Repeats } from '../../../server/http/repeats.ts'
import { jpegOf } from '../../support/jpegs.ts'
import { movableClock } from '../../support/movable-clock.ts'
import { accountOf, putStatus } from '../../support/put-status.ts'
import { type SignedInVisitor, signIn, startServer, type TestServer } from '../../support/server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.stop())

async function suspended(email: string): Promise<SignedInVisitor> {
  const person = await signIn(server, { email })
  await server.edit(async (store) => putStatus(store, await accountOf(store, email), 'Appeal'))
  return person
}

function post(person: SignedInVisitor, call: CallName, key: string | null, init: RequestInit): Promise<Response> {
  const headers = new Headers(init.headers)
  if (key !== null) headers.set(IDEMPOTENCY_KEY, key)
  return person.fetch(`${API_BASE}/${calls[call].path}`, { ...init, method: 'POST', headers })
}

function appeal(person: SignedInVisitor, key: string | null): Promise<Response> {
  const body = JSON.stringify({ UserEmailAddress: person.email })
  return post(person, 'appeal', key, { headers: { 'content-type': 'application/json' }, body })
}

test('a call that comes again under its key is answered again and carried out once', async () => {
  const ada = await suspended('ada@example.org')
  const answers = await Promise.all([appeal(ada, 'first'), appeal(ada, 'first'), appeal(ada, 'first')])
  for (const answer of [...answers, await appeal(ada, 'first')])
    expect([answer.status, await answer.json()]).toMatchObject([200, { status: 'InReview' }])
  expect((await appeal(ada, 'second')).status).toBe(409)
  expect((await appeal(ada, null)).status).toBe(409)
})

test('a key is of one person: nobody gets the answer of somebody else', async () => {
  const [bob, eve] = [await suspended('bob@example.org'), await signIn(server, { email: 'eve@example.org' })]
  expect((await appeal(bob, 'shared')).status).toBe(200)
  expect((await appeal(eve, 'shared')).status).toBe(409)
})

test('a frame that comes again under its key is not too soon, as often as a browser tries', async () => {
  const carl = await signIn(server, { email: 'carl@example.org' })
  const frame = await jpegOf({ width: 64, height: 48 })
  const send = (key: string) => {
    const body = new FormData()
    body.append('EmailAddress', carl.email)
    body.append('UserSessionId', carl.sessionId)
    body.append('VideoFrame', new Blob([new Uint8Array(frame)]), 'frame.jpg')
    return post(carl, 'addVideoFrame', key, { body })
  }
  for (const status of [200, 200, 200, 429]) expect((await send('one')).status).toBe(status)
  expect((await send('two')).status).toBe(429)
})

test('a key of a wrong shape is refused by its name', async () => {
  const dora = await signIn(server, { email: 'dora@example.org' })
  const answer = await appeal(dora, 'a b')
  expect([answer.status, await answer.json()]).toMatchObject([400, { field: IDEMPOTENCY_KEY }])
})

test('a page of another origin that is allowed may send a key', async () => {
  const origin = 'https://app.example.org'
  const own = await startServer({ ALLOWED_ORIGINS: origin })
  onTestFinished(() => own.stop())
  const preflight = await fetch(`http://127.0.0.1:${own.port}${API_BASE}/${calls.appeal.path}`, {
    method: 'OPTIONS',
    headers: {
      origin,
      'access-control-request-method': 'POST',
      'access-control-request-headers': IDEMPOTENCY_KEY.toLowerCase(),
    },
  })
  expect(preflight.headers.get('access-control-allow-headers')).toContain(IDEMPOTENCY_KEY)
})

test('a repeat that comes while the first is in work waits for it', async () => {
  const repeats = new Repeats(() => 0)
  const work = Promise.withResolvers<string>()
  const first = repeats.once('a', () => work.promise)
  const second = repeats.once('a', () => Promise.reject(new Error('carried out twice')))
  work.resolve('done')
  expect(await Promise.all([first, second])).toEqual(['done', 'done'])
})

test('what failed is tried again, what was done is forgotten after five minutes', async () => {
  const clock = movableClock()
  const repeats = new Repeats(clock.now)
  let done = 0
  const fail = () => Promise.reject(new Error('not now'))
  const work = async () => {
    done += 1
    return done
  }
  await expect(repeats.once('a', fail)).rejects.toThrow('not now')
  expect(await repeats.once('a', work)).toBe(1)
  clock.forward(5 * 60_000 - 1)
  expect(await repeats.once('a', work)).toBe(1)
  clock.forward(1)
  expect(await repeats.once('a', work)).toBe(2)
})

test('however many calls come, what is remembered of them has an end', async () => {
  const repeats = new Repeats(() => 0)
  for (let id = 0; id < 30_000; id += 1) await repeats.once(String(id), async () => id)
  expect(repeats.isFree('0')).toBe(false)
  expect(repeats.isFree('29999')).toBe(true)
})
