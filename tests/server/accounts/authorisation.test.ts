import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { formatProfileCookie } from '#protocol/cookies.ts'
import { type EndpointInput, type EndpointName, endpoints } from '#protocol/rest.ts'
import { jpeg } from '../../support/pictures/pictures.ts'
import {
  identityToken,
  newVisitor,
  type SignedInVisitor,
  signIn,
  startServer,
  type TestServer,
} from '../../support/servers/server.ts'
import { accountOf, putStatus } from '../../support/stores/put-status.ts'

/** Somebody whose data a call names. */
type Subject = { email: string; sessionId: string; nickName: string }
type Row<N extends EndpointName> = {
  /** The call about this person. */
  about: (subject: Subject) => EndpointInput<N> | Promise<EndpointInput<N>>
  /** Nobody signed in asks about Ada. */
  anonymous: number
  /** Carol asks about Bob; null where the call names nobody. */
  other: number | null
  /** Somebody who is blocked for good asks about themselves. */
  blocked: number
  /** Ada asks about herself. */
  right: number
}

let server: TestServer
let ada: SignedInVisitor
let bob: SignedInVisitor
let carol: SignedInVisitor
let blocked: SignedInVisitor

beforeAll(async () => {
  server = await startServer()
  ada = await signIn(server, { email: 'ada@example.org' })
  bob = await signIn(server, { email: 'bob@example.org' })
  carol = await signIn(server, { email: 'carol@example.org' })
  blocked = await signIn(server, { email: 'blocked@example.org' })
  await server.edit(async (store) => {
    await putStatus(store, await accountOf(store, 'blocked@example.org'), 'Blocked')
    await putStatus(store, await accountOf(store, 'bob@example.org'), 'Appeal')
  })
})
afterAll(() => server.stop())

const nothing = () => undefined
const byEmail = ({ email }: Subject) => ({ userEmailAddress: email })
const ownNotice = ({ email }: Subject) => ({ reference: '0'.repeat(12), email })
const open = { anonymous: 200, other: null, blocked: 200, right: 200 }
/** For whoever is signed in, about nobody in particular. */
const own = { ...open, anonymous: 401 }
/** About a person, and for that person alone. */
const personal = { ...own, other: 403 }
const frame = async ({ email, sessionId }: Subject) => ({
  EmailAddress: email,
  UserSessionId: sessionId,
  file: { blob: await jpeg(), fileName: 'frame.jpg' },
})
const entry = { DeviceType: 'Web', UserAppRunOn: 'x', UserDeviceName: 'x', UserDeviceOs: 'x' } as const
const place = { IpAddress: 'NA', HostName: 'NA', City: 'NA', Country: 'NA', Coordinates: 'NA' }

const table: { [N in EndpointName]: Row<N> } = {
  readStart: { about: nothing, ...open },
  readSession: { about: nothing, ...open },
  createSession: {
    about: ({ sessionId }) => ({ ...entry, UserSessionId: sessionId }),
    ...open,
    anonymous: 403,
    other: 403,
  },
  addSession: {
    about: ({ sessionId, email }) => ({ UserSessionId: sessionId, EmailAddress: email }),
    ...personal,
  },
  setTokens: {
    about: async ({ sessionId, email }) => ({
      userEmailAddress: email,
      userSessionId: sessionId,
      sourceAccessToken: await identityToken(newVisitor(server), { email }),
      platformType: 'Web',
      source: 'Google',
    }),
    ...open,
    anonymous: 403,
    other: 403,
  },
  addOauthUser: {
    about: ({ email }) => ({ EmailAddress: email, FirstName: 'A', LastName: 'B', SourceName: 'Google' }),
    ...personal,
  },
  addProfile: {
    about: ({ email, nickName }) => ({
      EmailAddress: email,
      NickName: nickName,
      Gender: 'girl',
      DOB: '1990-12-10',
      ConsentAgreed: 'true',
    }),
    ...personal,
  },
  readProfile: { about: nothing, ...own },
  changeProfile: {
    about: ({ nickName }) => ({ NickName: nickName, Gender: 'girl', ShowPicture: 'false' }),
    ...own,
  },
  changePreferences: { about: () => ({ languages: ['es'], interests: [] }), ...own },
  readSuggestions: { about: nothing, ...own },
  // Nobody is in a match here.
  readMatchPicture: { about: () => ({ session: 'some-match' }), ...own, blocked: 403, right: 404 },
  seeCaseNotice: { about: ({ email }) => ({ UserEmailAddress: email }), ...personal },
  readProfileCookie: { about: nothing, ...own },
  setProfileCookie: { about: (subject) => ({ CookieValue: formatProfileCookie(subject) }), ...personal },
  deleteProfileCookie: { about: nothing, ...own },
  readSessionIdCookie: { about: nothing, ...own },
  setSessionIdCookie: { about: ({ sessionId }) => ({ CookieValue: sessionId }), ...personal },
  deleteSessionIdCookie: { about: nothing, ...own },
  readRefreshToken: { about: nothing, ...own },
  deleteRefreshToken: { about: nothing, ...own },
  validateAccessToken: { about: nothing, ...own },
  refreshAccessToken: { about: nothing, ...own },
  readAccessToken: { about: nothing, ...own },
  readHubToken: { about: ({ sessionId }) => ({ userSessionId: sessionId }), ...personal, blocked: 403 },
  readBlockStatus: { about: byEmail, ...personal },
  // Ada has nothing to appeal against; what is blocked for good is not appealed against either.
  appeal: { about: ({ email }) => ({ UserEmailAddress: email }), ...personal, blocked: 409, right: 409 },
  readBlockList: { about: byEmail, ...personal },
  readMatchedIds: { about: ({ email }) => ({ userEmailId: email }), ...personal },
  readOnlineUsers: { about: nothing, ...open },
  readIp: { about: nothing, ...open },
  addIp: { about: ({ sessionId }) => ({ ...place, UserSessionId: sessionId }), ...personal },
  addVideoFrame: { about: frame, ...personal },
  addReportedFrame: { about: frame, ...personal },
  readTurn: { about: nothing, ...own, blocked: 403 },
  reportConnection: { about: () => ({ outcome: 'direct', afterMs: 400 }), ...own },
  addCurtainCounts: {
    about: () => ({ model: 'some-model', looks: 9, flagged: 3, veils: 1, shownAnyway: 0 }),
    ...own,
  },
  addExperience: { about: () => ({ outcome: 'failed', browser: 'safari' }), ...own },
  readServiceStatus: { about: nothing, ...open },
  readServerTime: { about: nothing, ...open },
  addLogs: { about: () => [], ...open },
  logout: { about: nothing, ...open },
  readLogins: { about: nothing, ...own },
  endLogin: { about: () => ({ id: 'A'.repeat(43) }), ...own },
  endOtherLogins: { about: nothing, ...own },
  signInAgain: {
    about: async ({ email }) => ({
      source: 'Google',
      sourceAccessToken: await identityToken(newVisitor(server), { email }),
    }),
    ...personal,
  },
  exportData: { about: nothing, ...own },
  deleteData: { about: nothing, ...own },
  readDeletion: { about: nothing, ...own },
  keepData: { about: nothing, ...own },
  readTransparency: { about: nothing, ...open },
  sendContentNotice: {
    about: ({ email }) => ({
      kind: 'impersonation',
      email,
      day: '2026-01-02',
      description: 'x',
      isTrue: true,
      key: randomUUID(),
    }),
    ...open,
  },
  // Nobody has sent a notice with this number.
  readNoticeChallenge: { about: nothing, ...open },
  readContentNotice: { about: ownNotice, ...open, anonymous: 404, blocked: 404, right: 404 },
  deleteContentNotice: { about: ownNotice, ...open, anonymous: 404, blocked: 404, right: 404 },
  readDeletionStatus: { about: () => ({ code: 'A'.repeat(22) }), ...open, anonymous: 404, blocked: 404, right: 404 },
}

/** A browser of this person for one call, so that no call takes the cookies of the next. */
function browserOf(person: SignedInVisitor | null) {
  const visitor = newVisitor(server)
  for (const [name, value] of person?.cookies ?? []) visitor.cookies.set(name, value)
  return visitor
}

async function statusOf<N extends EndpointName>(
  name: N,
  caller: SignedInVisitor | null,
  subject: Subject,
): Promise<number> {
  const browser = browserOf(caller)
  const response = await browser.send(name, await table[name].about(subject))
  await response.arrayBuffer()
  if (renewing.includes(name)) for (const [cookie, value] of browser.cookies) caller?.cookies.set(cookie, value)
  return response.status
}

/** After these the earlier access token is no good any more. */
const renewing: readonly string[] = ['setTokens', 'signInAgain'] satisfies EndpointName[]
/** What ends a login comes last, in this order. */
const ending: readonly string[] = [
  'setTokens',
  'signInAgain',
  'deleteRefreshToken',
  'deleteData',
  'logout',
] satisfies EndpointName[]
const names = (Object.keys(endpoints) as EndpointName[]).sort((a, b) => ending.indexOf(a) - ending.indexOf(b))

test('every call of the protocol has its row', () => {
  expect(Object.keys(table).sort()).toEqual([...names].sort())
})

test('only who is suspended may appeal, and only for themselves', async () => {
  expect(await statusOf('appeal', ada, bob)).toBe(403)
  expect(await statusOf('appeal', bob, bob)).toBe(200)
  expect(await statusOf('appeal', bob, bob)).toBe(409)
})

describe.each(names)('%s', (name) => {
  const row = table[name]

  test(`by nobody in particular: ${row.anonymous}`, async () => {
    expect(await statusOf(name, null, ada)).toBe(row.anonymous)
  })
  if (row.other !== null) {
    test(`about somebody else: ${row.other}`, async () => {
      expect(await statusOf(name, carol, bob)).toBe(row.other)
    })
  }
  test(`by somebody who is blocked: ${row.blocked}`, async () => {
    expect(await statusOf(name, blocked, blocked)).toBe(row.blocked)
  })
  test(`by the right one: ${row.right}`, async () => {
    expect(await statusOf(name, ada, ada)).toBe(row.right)
  })
})
