import * as v from 'valibot'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type HubArguments, type HubMethod, hubMethods } from '#protocol/hub.ts'
import { RawClient, upgradeStatus } from '../../support/hub/hub-client.ts'
import { type SignedInVisitor, signIn, startServer, type TestServer } from '../../support/servers/server.ts'
import { accountOf, putStatus } from '../../support/stores/put-status.ts'

type Match = { session: string; own: string; peer: string }
type Row<M extends HubMethod> = {
  args: (match: Match) => HubArguments<M>
  /** The role that may invoke the method. */
  by: 'caller' | 'callee'
  /** The error code for the other role; null when it may invoke the method too. */
  otherSide: string | null
  /** The error code for a user who is in no match and names this one. */
  stranger: string
}

const SDP = 'v=0\r\nm=audio 9 x\r\nm=video 9 x\r\n'
const data = (type: 'offer' | 'answer') => JSON.stringify({ type, sdp: SDP })
const inMatch = { by: 'caller', otherSide: null, stranger: 'not-in-match' } as const

const table: { [M in HubMethod]: Row<M> } = {
  InitiateMatchingWithPeers: {
    args: ({ own }) => [own, '[]'],
    ...inMatch,
    otherSide: 'forbidden',
    stranger: 'forbidden',
  },
  HandleUserNickNameAndUserEmailIdToPeer: {
    args: ({ peer }) => [peer, 'x', 'x'],
    ...inMatch,
    otherSide: 'not-in-match',
  },
  HandleOffer: { args: ({ session, peer }) => [session, peer, data('offer')], ...inMatch, otherSide: 'not-in-match' },
  HandleAnswer: {
    args: ({ session, peer }) => [session, peer, data('answer')],
    by: 'callee',
    otherSide: 'not-in-match',
    stranger: 'not-in-match',
  },
  HandleIceCandidate: {
    args: ({ session, peer }) => [session, peer, JSON.stringify({ candidate: '' })],
    ...inMatch,
    otherSide: 'not-in-match',
  },
  SendChatMessageToPeer: {
    args: ({ session, peer }) => [session, peer, 'hi', null],
    ...inMatch,
    otherSide: 'not-in-match',
  },
  HandleTyping: { args: ({ session, peer }) => [session, peer], ...inMatch, otherSide: 'not-in-match' },
  UpdateWebRtcConnectionSuccessStatus: { args: ({ session }) => [session], ...inMatch },
  HandleReportedUser: { args: ({ own, peer }) => [own, peer, 'ReportOnly'], ...inMatch, otherSide: 'not-in-match' },
  OnMatchedSessionTerminationRequested: {
    args: ({ session, own }) => [session, own],
    ...inMatch,
    otherSide: 'not-in-match',
  },
  HandleMatchedEmailIds: { args: ({ session }) => ['x', session], ...inMatch },
}

let server: TestServer
let people: Record<'eve' | 'blocked', SignedInVisitor>
let blockedToken: string

async function hubToken(person: SignedInVisitor): Promise<string> {
  return (await person.request('readHubToken', { userSessionId: person.sessionId })).hubConnectionAccessToken
}

async function connect(person: SignedInVisitor): Promise<RawClient> {
  const client = await RawClient.dial(`${server.origin}/chathub?access_token=${await hubToken(person)}`, person.email)
  client.send({ protocol: 'json', version: 1 })
  client.id = v.parse(v.tuple([v.string()]), await client.event('OnUserConnected'))[0]
  return client
}

beforeAll(async () => {
  server = await startServer({ REPORTS_TO_WARN: '900', REPORTS_TO_SUSPEND: '1000' })
  const [eve, blocked] = [
    await signIn(server, { email: 'eve@example.org' }),
    await signIn(server, { email: 'blocked@example.org' }),
  ]
  people = { eve, blocked }
  blockedToken = await hubToken(blocked)
  await server.edit(async (store) => putStatus(store, await accountOf(store, 'blocked@example.org'), 'Blocked'))
})
afterAll(() => server.stop())

let pairs = 0

/** For one test: a pair with a report never meets again, and who was in two matches that failed waits apart. */
async function newPair(): Promise<Record<'ada' | 'bob', SignedInVisitor>> {
  pairs += 1
  return {
    ada: await signIn(server, { email: `ada${pairs}@example.org` }),
    bob: await signIn(server, { email: `bob${pairs}@example.org` }),
  }
}

const methods = Object.keys(hubMethods) as HubMethod[]

test('every method of the hub has a row', () => {
  expect(Object.keys(table).sort()).toEqual([...methods].sort())
})

test('without a token, or with that of a blocked user, no method can be invoked', async () => {
  const hub = `${server.origin}/chathub`
  const negotiate = async (headers: Record<string, string>) =>
    (await fetch(`${hub}/negotiate?negotiateVersion=1`, { method: 'POST', headers })).status
  const asBlocked = { authorization: `Bearer ${blockedToken}` }
  expect(await negotiate({})).toBe(401)
  expect(await upgradeStatus(hub)).toBe(401)
  expect(await negotiate(asBlocked)).toBe(403)
  expect(await upgradeStatus(hub, asBlocked)).toBe(403)
  expect((await people.blocked.send('readHubToken', { userSessionId: people.blocked.sessionId })).status).toBe(403)
})

describe.each(methods)('%s', (name) => {
  const row = table[name]
  let caller: RawClient
  let callee: RawClient
  let stranger: RawClient
  let session: string

  beforeEach(async () => {
    const { ada, bob } = await newPair()
    const [one, two] = [await connect(ada), await connect(bob)]
    stranger = await connect(people.eve)
    await one.join()
    await two.join()
    const match = await one.matched()
    session = match.session
    ;[caller, callee] = match.role === 'Caller' ? [one, two] : [two, one]
    return async () => {
      await Promise.all([caller, callee, stranger].map((client) => client.leave()))
    }
  })

  const codeOf = async (client: RawClient, own: RawClient, peer: RawClient) => {
    const error = await client.invokeAny(name, ...row.args({ session, own: own.id, peer: peer.id }))
    return error?.split(':', 1)[0] ?? null
  }
  const sides = () => (row.by === 'caller' ? ([caller, callee] as const) : ([callee, caller] as const))

  test(`by a stranger: ${row.stranger}`, async () => {
    const [own, peer] = sides()
    expect(await codeOf(stranger, own, peer)).toBe(row.stranger)
    if (name !== 'InitiateMatchingWithPeers') expect(await codeOf(stranger, stranger, peer)).toBe(row.stranger)
  })

  test(`by the partner, in this user’s name: ${row.otherSide ?? 'allowed'}`, async () => {
    const [own, peer] = sides()
    expect(await codeOf(peer, own, peer)).toBe(row.otherSide)
  })

  test('by the user of the connection: allowed', async () => {
    const [own, peer] = sides()
    expect(await codeOf(own, own, peer)).toBeNull()
  })
})
