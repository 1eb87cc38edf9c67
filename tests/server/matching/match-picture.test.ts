import sharp from 'sharp'
import { expect, onTestFinished, test } from 'vitest'
import { type HubPerson, hubPerson, meet } from '../../support/hub/hub-person.ts'
import { colouredJpeg, type FrameColour, scriptedClassifier } from '../../support/pictures/coloured-frames.ts'
import { type SignedInVisitor, signIn, startServer, type TestServer } from '../../support/servers/server.ts'
import { accountOf, putStatus } from '../../support/stores/put-status.ts'

/** The picture that the two users of a match see of each other. */

type Shown = { picture: FrameColour; showPicture: 'true' | 'false' }

async function personOn(server: TestServer, name: string, shown?: Shown): Promise<HubPerson> {
  const visitor = await signIn(server, { email: `${name}@x.org`, firstName: 'Zoe' })
  if (shown) {
    const file = { blob: new Blob([new Uint8Array(await colouredJpeg(shown.picture))]), fileName: 'p.jpg' }
    await visitor.request('changeProfile', { NickName: 'Zoe', Gender: 'girl', ShowPicture: shown.showPicture, file })
  }
  return hubPerson(server, visitor)
}

async function serverForTest(env: Record<string, string> = {}): Promise<TestServer> {
  const server = await startServer(env, { classifierProgram: scriptedClassifier })
  onTestFinished(server.stop)
  return server
}

const pictureFor = (person: SignedInVisitor, session: string) => person.send('readMatchPicture', { session })
const statusFor = async (person: SignedInVisitor, session: string) => (await pictureFor(person, session)).status

async function shownTo(person: SignedInVisitor, session: string): Promise<Buffer | null> {
  const { picture } = await person.request('readMatchPicture', { session })
  return picture === null ? null : Buffer.from(picture, 'base64')
}

test('the partner gets a small picture without a name, a third person and a later request get none', async () => {
  const server = await serverForTest()
  const ada = await personOn(server, 'ada', { picture: 'harmless', showPicture: 'true' })
  const bob = await personOn(server, 'bob')
  const eve = await signIn(server, { email: 'eve@x.org' })
  const { session } = await meet(ada, bob)

  const response = await pictureFor(bob.visitor, session)
  expect([response.status, response.headers.get('cache-control')]).toEqual([200, 'no-store'])
  const text = await response.text()
  expect(Object.keys(JSON.parse(text))).toEqual(['picture'])
  expect(text).not.toContain('@')
  const picture = await shownTo(bob.visitor, session)
  expect(await sharp(picture ?? undefined).metadata()).toMatchObject({ format: 'webp', width: 128, height: 128 })
  expect(await shownTo(ada.visitor, session)).toBeNull()
  expect(await statusFor(eve, session)).toBe(404)
  expect(await statusFor(bob.visitor, 'another-match')).toBe(404)

  const over = bob.next('SessionTerminated')
  await ada.client.invoke('OnMatchedSessionTerminationRequested', session, ada.client.connectionId)
  await over
  expect([await statusFor(bob.visitor, session), await statusFor(ada.visitor, session)]).toEqual([404, 404])
})

test('a picture that its user does not show is seen by nobody', async () => {
  const server = await serverForTest()
  const ada = await personOn(server, 'ada', { picture: 'harmless', showPicture: 'false' })
  const bob = await personOn(server, 'bob')
  const { session } = await meet(ada, bob)
  expect(await shownTo(bob.visitor, session)).toBeNull()
})

test('a picture from before the thumbnails is shown once its user wants it', async () => {
  const server = await serverForTest()
  const ada = await signIn(server, { email: 'ada@x.org' })
  const welcome = { EmailAddress: ada.email, NickName: 'Zoe', Gender: 'girl', DOB: '1990-12-10' } as const
  const file = { blob: new Blob([new Uint8Array(await colouredJpeg('explicit'))]), fileName: 'p.jpg' }
  await ada.request('addProfile', { ...welcome, ConsentAgreed: 'true', file })
  await ada.request('changeProfile', { NickName: 'Zoe', Gender: 'girl', ShowPicture: 'true' })
  const bob = await personOn(server, 'bob')
  const { session } = await meet(hubPerson(server, ada), bob)
  const first = await shownTo(bob.visitor, session)
  expect(first).not.toBeNull()
  expect(await shownTo(bob.visitor, session)).toEqual(first)
})

test('who is suspended sees no picture, although the match is not over in the records', async () => {
  const server = await serverForTest()
  const ada = await personOn(server, 'ada', { picture: 'harmless', showPicture: 'true' })
  const bob = await personOn(server, 'bob')
  const { session } = await meet(ada, bob)
  await server.edit(async (store) => putStatus(store, await accountOf(store, 'bob@x.org'), 'Appeal'))
  expect(await statusFor(bob.visitor, session)).toBe(403)
})

test('with the classifier only a picture that has passed is shown', async () => {
  const server = await serverForTest({ FRAME_CLASSIFIER: 'on' })
  const passed = await personOn(server, 'ada', { picture: 'harmless', showPicture: 'true' })
  const unanswered = await personOn(server, 'bob', { picture: 'deadly', showPicture: 'true' })
  const { session } = await meet(passed, unanswered)
  expect(await shownTo(unanswered.visitor, session)).not.toBeNull()
  expect(await shownTo(passed.visitor, session)).toBeNull()
})
