import * as v from 'valibot'
import { expect } from 'vitest'
import { WAIT_MS } from '../../../scripts/test-limits.ts'
import { RawClient } from '../hub/hub-client.ts'
import { pollUntil } from '../poll-until.ts'
import { identityToken, newVisitor, sessionOf, type Visitor } from '../servers/server.ts'

/** Steps of users whose acknowledged writes must all exist later. The server needs REPORTS_TO_WARN and REPORTS_TO_SUSPEND of 1, and settled reporters. */

/** A write that the server acknowledged, and a check that it still exists. */
export type Promised = { what: string; holds: () => Promise<boolean> }
export type Site = { origin: string; address: string }

/** A hub connection after its handshake. */
export async function connect(site: Site, person: Person): Promise<RawClient> {
  const { hubConnectionAccessToken: token } = await person.request('readHubToken', { userSessionId: person.sessionId })
  const client = await RawClient.dial(`${site.origin}/chathub?access_token=${token}`, person.email)
  client.send({ protocol: 'json', version: 1 })
  client.id = v.parse(v.tuple([v.string()]), await client.event('OnUserConnected'))[0]
  return client
}

const SDP = 'v=0\r\nm=audio 9 x\r\nm=video 9 x\r\n'

type Person = Visitor & { email: string; sessionId: string }

/** Visits for the first time and signs in, with a promise for each write. */
async function arrive(site: Site, email: string, done: (promised: Promised) => void): Promise<Person> {
  const visitor = newVisitor(site, { 'x-forwarded-for': site.address })
  const sessionId = await sessionOf(visitor)
  const entry = { DeviceType: 'Web', UserAppRunOn: 'x', UserDeviceName: 'x', UserDeviceOs: 'x' } as const
  await visitor.request('createSession', { ...entry, UserSessionId: sessionId })
  done({
    what: `session of ${email}`,
    holds: async () => (await visitor.request('readSession', undefined)).cookieValue === `${sessionId}#existing`,
  })
  await visitor.request('setTokens', {
    userEmailAddress: email,
    userSessionId: sessionId,
    sourceAccessToken: await identityToken(visitor, { email }),
    platformType: 'Web',
    source: 'Google',
  })
  done({
    what: `sign-in of ${email}`,
    holds: async () => (await visitor.request('readRefreshToken', undefined)).cookieValue !== '',
  })
  const fields = { EmailAddress: email, NickName: 'Ada', Gender: 'girl', DOB: '1990-12-10' } as const
  await visitor.request('addProfile', { ...fields, ConsentAgreed: 'true' })
  const names = { EmailAddress: email, FirstName: 'A', LastName: 'B', SourceName: 'Google' } as const
  done({
    what: `profile of ${email}`,
    holds: async () => (await visitor.request('addOauthUser', names)).profile?.dateOfBirth === '1990-12-10',
  })
  return { ...visitor, email, sessionId }
}

/** Two users sign in and are matched, one reports the other, who appeals. Calls `done` with each acknowledged write. */
export async function liveOnce(site: Site, name: string, done: (promised: Promised) => void): Promise<void> {
  const clients: RawClient[] = []
  try {
    await liveWith(clients, site, name, done)
    await Promise.all(clients.map((client) => client.leave()))
  } finally {
    // A user of a failed run must not be matched with others.
    for (const { socket } of clients) socket.terminate()
  }
}

async function liveWith(
  clients: RawClient[],
  site: Site,
  name: string,
  done: (promised: Promised) => void,
): Promise<void> {
  const ada = await arrive(site, `ada-${name}@example.org`, done)
  const bob = await arrive(site, `bob-${name}@example.org`, done)
  const one = await connect(site, ada)
  clients.push(one)
  const two = await connect(site, bob)
  clients.push(two)
  expect([await one.join(), await two.join()]).toEqual([null, null])
  const { role, session, peer } = await one.matched()
  expect(await one.invoke('HandleMatchedEmailIds', 'x', session)).toBeNull()
  done({
    what: `meeting ${name}`,
    async holds() {
      const both = await Promise.all(
        [ada, bob].map((person) => person.request('readMatchedIds', { userEmailId: person.email })),
      )
      return both.every(({ matchedEmailIds }) => matchedEmailIds.length === 1)
    },
  })
  const [caller, callee] = role === 'Caller' ? [one, two] : [two, one]
  expect(await caller.invoke('HandleOffer', session, callee.id, JSON.stringify({ type: 'offer', sdp: SDP }))).toBeNull()
  // A report without a connected call has no weight.
  expect(
    await callee.invoke('HandleAnswer', session, caller.id, JSON.stringify({ type: 'answer', sdp: SDP })),
  ).toBeNull()
  for (const side of [caller, callee])
    expect(await side.invoke('UpdateWebRtcConnectionSuccessStatus', session)).toBeNull()
  expect(await one.invoke('HandleReportedUser', one.id, peer, 'BlockAndReport')).toBeNull()
  const statusOf = async (person: Person) =>
    (await person.request('readBlockStatus', { userEmailAddress: person.email })).status
  /** A report is judged after its invocation has returned, or at the next start. */
  async function judged(person: Person): Promise<void> {
    // Rejects at once where the server is gone. A refusal of too many requests is not an answer.
    await pollUntil(
      async () => {
        const response = await person.send('readBlockStatus', { userEmailAddress: person.email })
        return response.ok && !(await response.text()).includes('"Valid"')
      },
      WAIT_MS,
      () => `${person.email} is not judged`,
    )
  }
  done({
    what: `report and block ${name}`,
    async holds() {
      const blocked = await ada.request('readBlockList', { userEmailAddress: ada.email })
      await judged(bob)
      return blocked.length === 1
    },
  })
  await judged(bob)
  await bob.request('appeal', { UserEmailAddress: bob.email })
  done({ what: `appeal ${name}`, holds: async () => (await statusOf(bob)) === 'InReview' })
}
