import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { API_BASE, IDEMPOTENCY_KEY } from '#protocol/constants.ts'
import { type EndpointName, endpoints } from '#protocol/rest.ts'
import { jpegOf } from '../../../support/pictures/jpegs.ts'
import { type SignedInVisitor, signIn, startServer, type TestServer } from '../../../support/servers/server.ts'
import { accountOf, putStatus } from '../../../support/stores/put-status.ts'
import { backends, type StoreBackend } from '../../../support/stores/stores.ts'

function post(person: SignedInVisitor, call: EndpointName, key: string | null, init: RequestInit): Promise<Response> {
  const headers = new Headers(init.headers)
  if (key !== null) headers.set(IDEMPOTENCY_KEY, key)
  return person.fetch(`${API_BASE}/${endpoints[call].path}`, { ...init, method: 'POST', headers })
}

function appeal(person: SignedInVisitor, key: string | null): Promise<Response> {
  const body = JSON.stringify({ UserEmailAddress: person.email })
  return post(person, 'appeal', key, { headers: { 'content-type': 'application/json' }, body })
}

describe.each(backends)('with the records in $name', ({ make }) => {
  let backend: StoreBackend
  let server: TestServer
  beforeAll(async () => {
    backend = await make()
    server = await startServer(backend.env)
  })
  afterAll(async () => {
    await server.stop()
    await backend.remove()
  })

  async function suspended(email: string): Promise<SignedInVisitor> {
    const person = await signIn(server, { email })
    await server.edit(async (store) => putStatus(store, await accountOf(store, email), 'Appeal'))
    return person
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
    const preflight = await fetch(`http://127.0.0.1:${own.port}${API_BASE}/${endpoints.appeal.path}`, {
      method: 'OPTIONS',
      headers: {
        origin,
        'access-control-request-method': 'POST',
        'access-control-request-headers': IDEMPOTENCY_KEY.toLowerCase(),
      },
    })
    expect(preflight.headers.get('access-control-allow-headers')).toContain(IDEMPOTENCY_KEY)
  })
})
