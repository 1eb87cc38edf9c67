import { readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { FRAME_LIMIT } from '#protocol/constants.ts'
import { systemClock } from '../../../server/platform/system-clock.ts'
import { jpegOf, jpegOfBytes, tellingJpeg, tells } from '../../support/pictures/jpegs.ts'
import { newVisitor, signIn, startServer, type TestServer } from '../../support/servers/server.ts'
import { migratedFolder } from '../../support/stores/migrated.ts'

let server: TestServer

beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.stop())

type Send = (call: 'addVideoFrame' | 'addReportedFrame', jpeg: Buffer) => Promise<Response>

/** Somebody new, since a frame is taken only every 8 s from one person. */
async function newSender(email: string): Promise<Send> {
  const person = await signIn(server, { email })
  const owner = { EmailAddress: email, UserSessionId: person.sessionId }
  return (call, jpeg) => {
    const file = { blob: new Blob([new Uint8Array(jpeg)], { type: 'image/jpeg' }), fileName: 'frame.jpg' }
    return person.send(call, { ...owner, file })
  }
}

test('a frame of each kind is taken, and one as large as may be', async () => {
  const send = await newSender('ada@example.org')
  const frame = await jpegOf({ width: 640, height: 360 })
  const reported = await send('addReportedFrame', frame)
  expect([reported.status, await reported.json()]).toEqual([200, { message: 'Valid' }])
  const large = await send('addVideoFrame', await jpegOfBytes(FRAME_LIMIT))
  const online = { onlineUsers: expect.any(Number), talkingUsers: 0 }
  expect([large.status, await large.json()]).toEqual([200, { message: 'Valid', online }])
})

test.each(['addVideoFrame', 'addReportedFrame'] as const)(
  '%s with placeholders is taken as a frame of the login, and without a login it is refused',
  async (endpoint) => {
    const person = await signIn(server, { email: `${endpoint.toLowerCase()}@example.org` })
    const file = { blob: new Blob([new Uint8Array(await jpegOf({ width: 64, height: 64 }))]), fileName: 'frame.jpg' }
    const nobody = { EmailAddress: 'NullEmailAddress', UserSessionId: 'NullUserSessionId', file }
    expect((await newVisitor(server).send(endpoint, nobody)).status).toBe(401)
    const taken = await person.send(endpoint, nobody)
    expect([taken.status, await taken.json()]).toMatchObject([200, { message: 'Valid' }])
  },
)

test.each([
  [{ EmailAddress: 'other@example.org' }, 403],
  [{ UserSessionId: 'other' }, 403],
  [{ EmailAddress: 'nullemailaddress' }, 400],
])('one placeholder does not let another value pass: %j is %i', async (given, status) => {
  const person = await signIn(server, { email: `${Object.values(given).join().replace('@', '-')}@example.org` })
  const file = { blob: new Blob(['x']), fileName: 'frame.jpg' }
  const form = { EmailAddress: 'NullEmailAddress', UserSessionId: 'NullUserSessionId', file, ...given }
  const [field] = Object.keys(given)
  expect(await (await person.send('addVideoFrame', form)).json()).toMatchObject({ status, field })
})

test('of a frame that nobody reported only that it came is written down: whose, of what kind, how large', async () => {
  const dataDir = await migratedFolder()
  onTestFinished(() => rm(dataDir, { recursive: true }))
  const at = Date.parse('2026-11-21T08:00:00Z')
  const own = await startServer({}, { dataDir, clock: { ...systemClock, now: () => at } })
  const person = await signIn(own, { email: 'bob@example.org' })
  const jpeg = await tellingJpeg({ width: 640, height: 480 })
  const file = { blob: new Blob([new Uint8Array(jpeg)]), fileName: 'frame.jpg' }
  await person.request('addReportedFrame', { EmailAddress: person.email, UserSessionId: person.sessionId, file })
  // The end of the server writes what it has not written yet.
  const other = await signIn(own, { email: 'eve@example.org' })
  // With placeholders the frame is of the login.
  await other.request('addVideoFrame', {
    EmailAddress: 'NullEmailAddress',
    UserSessionId: 'NullUserSessionId',
    file,
  })
  await own.stop()

  const records = new DatabaseSync(join(dataDir, 'waggle.sqlite'), { readOnly: true })
  const rows = records.prepare('select * from frames').all()
  records.close()
  expect(rows).toEqual([
    {
      id: 1,
      account_id: expect.any(String),
      session_id: person.sessionId,
      kind: 'reported',
      bytes: expect.any(Number),
      // Upright.
      width: 480,
      height: 640,
      at,
    },
    {
      id: 2,
      account_id: expect.any(String),
      session_id: other.sessionId,
      kind: 'dashboard',
      bytes: jpeg.length,
      // As the header says.
      width: 640,
      height: 480,
      at,
    },
  ])
  for (const name of await readdir(dataDir)) {
    const kept = await readFile(join(dataDir, name))
    expect(tells(kept)).toBe(false)
    expect(kept.includes(Buffer.of(0xff, 0xd8, 0xff, 0xe0))).toBe(false)
  }
})
