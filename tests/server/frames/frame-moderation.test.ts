import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createEvidenceVault } from '../../../server/moderation/evidence-vault.ts'
import { officialClientWith } from '../../support/hub/hub-test.ts'
import { movableClock } from '../../support/movable-clock.ts'
import { colouredJpeg, type FrameColour, scriptedClassifier } from '../../support/pictures/coloured-frames.ts'
import { type SignedInVisitor, signIn, startServer, type TestServer } from '../../support/servers/server.ts'
import { accountOf, putStatus } from '../../support/stores/put-status.ts'
import { waitFor } from '../../support/wait-for.ts'

const key = { id: 'test', secret: 'e'.repeat(32) }
const keys = { EVIDENCE_KEYS: `${key.id}:${key.secret}` }
const vault = createEvidenceVault([key])
/** One picture is enough for a finding, and one finding for a suspension. */
const strict = { FRAME_CLASSIFIER: 'on', FRAME_FLAG_HITS: '1', FRAME_FLAG_AMONG: '1', FLAGS_TO_SUSPEND: '1' }

/** Resolves once `holds` throws no more. */
const until = (holds: () => Promise<void>) => waitFor(holds)

async function serverForTest(env: Record<string, string>) {
  const clock = movableClock()
  const server = await startServer({ ...keys, ...env }, { clock, classifierProgram: scriptedClassifier })
  onTestFinished(server.stop)
  return { ...server, clock }
}

async function sendFrame(
  person: SignedInVisitor,
  call: 'addVideoFrame' | 'addReportedFrame',
  colour: FrameColour,
  fields: { PictureChanged?: 'true' } = {},
): Promise<number> {
  const file = { blob: new Blob([new Uint8Array(await colouredJpeg(colour))]), fileName: 'frame.jpg' }
  return (await person.send(call, { EmailAddress: person.email, UserSessionId: person.sessionId, file, ...fields }))
    .status
}

async function statusOf(person: SignedInVisitor): Promise<string> {
  return (await person.request('readBlockStatus', { userEmailAddress: person.email })).status
}

/** What became of frames, as operators see it. */
async function outcomes({ origin }: TestServer): Promise<string[]> {
  const lines = (await (await fetch(`${origin}/metrics`)).text()).split('\n')
  return lines.filter((line) => line.startsWith('waggle_frames{'))
}

async function onHub(server: TestServer, person: SignedInVisitor) {
  const address = `${server.origin}/chathub?userSessionId=${person.sessionId}&email=${encodeURIComponent(person.email)}`
  const client = officialClientWith(address, async () => {
    const { hubConnectionAccessToken } = await person.request('readHubToken', { userSessionId: person.sessionId })
    return hubConnectionAccessToken
  })
  await client.start()
  return client
}

/** Evidence about somebody: its kind, whose browser sent it, and whether the vault opens it as a JPEG. */
async function evidenceAbout(server: TestServer, email: string) {
  const found: { kind: string; uploader: string; isJpeg: boolean }[] = []
  await server.edit(async (store) => {
    const { id } = await accountOf(store, email)
    for (const { id: evidence } of await store.evidence.list({ subject: id })) {
      const sealed = await store.evidence.find(evidence)
      if (!sealed) continue
      const jpeg = vault.open(sealed)
      const uploader = (await store.accounts.find(sealed.uploader))?.email ?? ''
      found.push({ kind: sealed.kind, uploader, isJpeg: jpeg?.[0] === 0xff && jpeg[1] === 0xd8 })
    }
  })
  return found
}

async function someJpegLies({ dataDir }: TestServer): Promise<boolean> {
  const files = await Promise.all((await readdir(dataDir)).map((name) => readFile(join(dataDir, name))))
  return files.some((file) => file.includes(Buffer.of(0xff, 0xd8, 0xff)))
}

test('an explicit picture suspends its sender and is kept encrypted; others are never written', async () => {
  const server = await serverForTest(strict)
  const [ada, bob] = [await signIn(server, { email: 'ada@x.org' }), await signIn(server, { email: 'bob@x.org' })]
  expect(await sendFrame(ada, 'addVideoFrame', 'explicit')).toBe(200)
  expect(await sendFrame(bob, 'addVideoFrame', 'harmless')).toBe(200)
  await until(async () => expect(await statusOf(ada)).toBe('Appeal'))
  await until(async () => expect(await outcomes(server)).toContain('waggle_frames{outcome="classified"} 2'))
  expect(await statusOf(bob)).toBe('Valid')
  expect(await evidenceAbout(server, 'ada@x.org')).toEqual([{ kind: 'flagged', uploader: 'ada@x.org', isJpeg: true }])
  expect(await evidenceAbout(server, 'bob@x.org')).toEqual([])
  expect(await someJpegLies(server)).toBe(false)
})

test('a picture of a suspended user is taken and not looked at; that of a report still is', async () => {
  const server = await serverForTest(strict)
  const [carl, bob] = [await signIn(server, { email: 'carl@x.org' }), await signIn(server, { email: 'bob@x.org' })]
  await server.edit(async (store) => putStatus(store, await accountOf(store, 'carl@x.org'), 'Appeal'))
  expect(await sendFrame(carl, 'addVideoFrame', 'explicit')).toBe(200)
  expect(await sendFrame(carl, 'addReportedFrame', 'explicit')).toBe(200)
  expect(await sendFrame(bob, 'addVideoFrame', 'harmless')).toBe(200)
  await until(async () => expect(await outcomes(server)).toContain('waggle_frames{outcome="classified"} 1'))
  expect(await evidenceAbout(server, 'carl@x.org')).toEqual([])
})

test('turned on without more, the server asks the real model', async () => {
  // A slow machine takes longer than the five seconds of a picture.
  const server = await startServer({ FRAME_CLASSIFIER: 'on' }, { clock: movableClock(100) })
  onTestFinished(server.stop)
  const ada = await signIn(server, { email: 'ada@x.org' })
  expect(await sendFrame(ada, 'addVideoFrame', 'harmless')).toBe(200)
  const classified = async () => expect(await outcomes(server)).toContain('waggle_frames{outcome="classified"} 1')
  await until(classified)
})

test('one explicit picture is not enough where more are asked for', async () => {
  const server = await serverForTest({ ...strict, FRAME_FLAG_HITS: '2', FRAME_FLAG_AMONG: '2' })
  const ada = await signIn(server, { email: 'ada@x.org' })
  await sendFrame(ada, 'addVideoFrame', 'explicit')
  await until(async () => expect(await outcomes(server)).toContain('waggle_frames{outcome="classified"} 1'))
  expect(await evidenceAbout(server, 'ada@x.org')).toEqual([])
  expect(await statusOf(ada)).toBe('Valid')
})

test('off by default: no program is started, nothing is flagged', async () => {
  const server = await serverForTest({ FRAME_FLAG_HITS: '1', FLAGS_TO_SUSPEND: '1' })
  const ada = await signIn(server, { email: 'ada@x.org' })
  expect(await sendFrame(ada, 'addVideoFrame', 'explicit')).toBe(200)
  expect(await outcomes(server)).toEqual([])
  expect(await evidenceAbout(server, 'ada@x.org')).toEqual([])
  expect(await statusOf(ada)).toBe('Valid')
})

test('a classifier that dies disturbs neither the sender nor a call', async () => {
  const server = await serverForTest(strict)
  const people = [await signIn(server, { email: 'ada@x.org' }), await signIn(server, { email: 'bob@x.org' })] as const
  const [ada, bob] = [await onHub(server, people[0]), await onHub(server, people[1])]
  const matched = new Promise<unknown[]>((resolve) => ada.on('OnUserMatched', (...args) => resolve(args)))
  for (const client of [ada, bob]) await client.invoke('InitiateMatchingWithPeers', client.connectionId, '[]')
  const [, session] = await matched
  expect(await sendFrame(people[0], 'addVideoFrame', 'deadly')).toBe(200)
  await until(async () => expect(await outcomes(server)).toContain('waggle_frames{outcome="failed"} 1'))
  const said = new Promise<unknown[]>((resolve) => bob.on('OnChatMessage', (...args) => resolve(args)))
  await ada.invoke('SendChatMessageToPeer', session, bob.connectionId, 'still here', 'm-1')
  expect(await said).toEqual([session, 'still here', 'm-1'])
})

test('a report keeps what the reporter saw and the reported camera, one before and one after it', async () => {
  const server = await serverForTest({})
  const ada = await signIn(server, { email: 'ada@x.org' })
  const bob = await signIn(server, { email: 'bob@x.org' })
  const [adas, bobs] = [await onHub(server, ada), await onHub(server, bob)]
  const matched = new Promise((resolve) => adas.on('OnUserMatched', resolve))
  const told = new Promise((resolve) => bobs.on('OnUserReportedByPeer', resolve))
  for (const client of [adas, bobs]) await client.invoke('InitiateMatchingWithPeers', client.connectionId, '[]')
  await matched
  expect(await sendFrame(ada, 'addReportedFrame', 'harmless')).toBe(200)
  await adas.invoke('HandleReportedUser', adas.connectionId, bobs.connectionId, 'ReportOnly')
  await told
  expect(await sendFrame(bob, 'addReportedFrame', 'harmless')).toBe(200)
  server.clock.forward(10_000)
  // Noise is no evidence.
  expect(await sendFrame(bob, 'addReportedFrame', 'harmless', { PictureChanged: 'true' })).toBe(200)
  const found = await evidenceAbout(server, 'bob@x.org')
  expect(found).toHaveLength(2)
  expect(found).toContainEqual({ kind: 'reporters-view', uploader: 'ada@x.org', isJpeg: true })
  expect(found).toContainEqual({ kind: 'own-camera', uploader: 'bob@x.org', isJpeg: true })
  expect(await someJpegLies(server)).toBe(false)
})

test('who comes from a dashboard that sent no picture to the hub leaves a signal, who comes from elsewhere none', async () => {
  const server = await serverForTest({})
  const ada = await signIn(server, { email: 'ada@x.org' })
  const bob = await signIn(server, { email: 'bob@x.org' })
  for (let turn = 0; turn < 9; turn += 1) {
    await bob.request('readAccessToken', undefined)
    await ada.request('readOnlineUsers', undefined)
    server.clock.forward(10_000)
  }
  await onHub(server, ada)
  await onHub(server, bob)
  await server.edit(async (store) => {
    const { id } = await accountOf(store, 'ada@x.org')
    expect(await store.signals.of(id, 9)).toMatchObject([{ came: 0, expected: 9, longestGapMs: 90_000 }])
    const { id: bobs } = await accountOf(store, 'bob@x.org')
    expect(await store.signals.of(bobs, 9)).toEqual([])
  })
})
