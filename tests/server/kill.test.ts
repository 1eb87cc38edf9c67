import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import * as v from 'valibot'
import { expect, onTestFinished, test, vi } from 'vitest'
import { RawClient } from '../support/hub-client.ts'
import { identityToken, newVisitor, sessionOf, type Visitor } from '../support/server.ts'

const KILLS = 50
/** Servers that are killed side by side, each with a folder of its own. */
const LANES = 2
/** Of a pair of people from the first visit to the appeal. */
const WRITES_OF_A_PAIR = 9

/** Something that the server said was done, and how to see that it still is. */
type Promised = { what: string; holds: () => Promise<boolean> }
type Site = { origin: string; address: string }

async function startOn(folder: string): Promise<{ child: ChildProcess; origin: string }> {
  const child = spawn(process.execPath, ['server/main.ts'], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      ...process.env,
      NODE_ENV: 'test',
      PORT: '0',
      DATA_DIR: folder,
      LOG_LEVEL: 'silent',
      // The same code starts again and again.
      NODE_COMPILE_CACHE: join(folder, 'code'),
      TRUST_PROXY: '127.0.0.1,::1',
      STUN_URL: 'stun:127.0.0.1:3478',
      REPORTS_TO_WARN: '1',
      REPORTS_TO_SUSPEND: '1',
    },
  })
  for await (const line of createInterface({ input: child.stdout })) {
    const [, origin] = /^Waggle is at (\S+)$/.exec(line) ?? []
    if (origin) return { child, origin }
  }
  throw new Error('the server ended before it listened')
}

async function connect(site: Site, person: Person): Promise<RawClient> {
  const { hubConnectionAccessToken: token } = await person.call('readHubToken', { userSessionId: person.sessionId })
  const client = await RawClient.dial(`${site.origin}/chathub?access_token=${token}`, person.email)
  client.send({ protocol: 'json', version: 1 })
  client.id = v.parse(v.tuple([v.string()]), await client.event('OnUserConnected'))[0]
  return client
}

const SDP = 'v=0\r\nm=audio 9 x\r\nm=video 9 x\r\n'

type Person = Visitor & { email: string; sessionId: string }

/** Comes for the first time and signs in, each write on its own. */
async function arrive(site: Site, email: string, done: (promised: Promised) => void): Promise<Person> {
  const visitor = newVisitor(site, { 'x-forwarded-for': site.address })
  const sessionId = await sessionOf(visitor)
  const entry = { DeviceType: 'Web', UserAppRunOn: 'x', UserDeviceName: 'x', UserDeviceOs: 'x' } as const
  await visitor.call('createSession', { ...entry, UserSessionId: sessionId })
  done({
    what: `session of ${email}`,
    holds: async () => (await visitor.call('readSession', undefined)).cookieValue === `${sessionId}#existing`,
  })
  await visitor.call('setTokens', {
    userEmailAddress: email,
    userSessionId: sessionId,
    sourceAccessToken: await identityToken(visitor, { email }),
    platformType: 'Web',
    source: 'Google',
  })
  done({
    what: `sign-in of ${email}`,
    holds: async () => (await visitor.call('readRefreshToken', undefined)).cookieValue !== '',
  })
  const fields = { EmailAddress: email, NickName: 'Ada', Gender: 'girl', DOB: '1990-12-10' } as const
  await visitor.call('addProfile', { ...fields, ConsentAgreed: 'true' })
  const names = { EmailAddress: email, FirstName: 'A', LastName: 'B', SourceName: 'Google' } as const
  done({
    what: `profile of ${email}`,
    holds: async () => (await visitor.call('addOauthUser', names)).profile?.dateOfBirth === '1990-12-10',
  })
  return { ...visitor, email, sessionId }
}

/** Two people sign in, meet, and one reports the other, who appeals. Calls `done` with each write that was acknowledged. */
async function liveOnce(site: Site, name: string, done: (promised: Promised) => void): Promise<void> {
  const ada = await arrive(site, `ada-${name}@example.org`, done)
  const bob = await arrive(site, `bob-${name}@example.org`, done)
  const [one, two] = [await connect(site, ada), await connect(site, bob)]
  expect([await one.join(), await two.join()]).toEqual([null, null])
  const { role, session, peer } = await one.matched()
  expect(await one.call('HandleMatchedEmailIds', 'x', session)).toBeNull()
  done({
    what: `meeting ${name}`,
    async holds() {
      const both = await Promise.all(
        [ada, bob].map((person) => person.call('readMatchedIds', { userEmailId: person.email })),
      )
      return both.every(({ matchedEmailIds }) => matchedEmailIds.length === 1)
    },
  })
  const [caller, callee] = role === 'Caller' ? [one, two] : [two, one]
  expect(await caller.call('HandleOffer', session, callee.id, JSON.stringify({ type: 'offer', sdp: SDP }))).toBeNull()
  // Without an answered call a report weighs nothing.
  expect(await callee.call('HandleAnswer', session, caller.id, JSON.stringify({ type: 'answer', sdp: SDP }))).toBeNull()
  expect(await one.call('HandleReportedUser', one.id, peer, 'BlockAndReport')).toBeNull()
  const statusOf = async (person: Person) =>
    (await person.call('readBlockStatus', { userEmailAddress: person.email })).status
  /** A report is judged beside the call that made it, or at the next start. */
  async function judged(person: Person): Promise<void> {
    await vi.waitFor(async () => expect(await statusOf(person)).not.toBe('Valid'), { timeout: 10_000 })
  }
  done({
    what: `report and block ${name}`,
    async holds() {
      const blocked = await ada.call('readBlockList', { userEmailAddress: ada.email })
      await judged(bob)
      return blocked.length === 1
    },
  })
  await judged(bob)
  await bob.call('appeal', { UserEmailAddress: bob.email })
  done({ what: `appeal ${name}`, holds: async () => (await statusOf(bob)) === 'InReview' })
  await Promise.all([one, two].map((client) => client.leave()))
}

/** At once after a write was acknowledged, or somewhere in the work that follows. */
function killSoon(child: ChildProcess): void {
  let turns = Math.random() < 0.5 ? 0 : Math.floor(Math.random() * 200)
  const turn = () => {
    if (turns === 0) child.kill('SIGKILL')
    else setImmediate(turn)
    turns -= 1
  }
  turn()
}

async function lane(number: number, kills: number): Promise<{ count: number; lost: string[] }> {
  const folder = mkdtempSync(join(tmpdir(), 'kill-test-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const site = { origin: '', address: '' }
  const promised: Promised[] = []
  const lost: string[] = []
  let checked = 0

  async function check(from: number): Promise<void> {
    for (const { what, holds } of promised.slice(from)) if (!(await holds())) lost.push(what)
    checked = promised.length
  }

  async function start(round: number): Promise<ChildProcess> {
    const { child, origin } = await startOn(folder)
    onTestFinished(() => void child.kill('SIGKILL'))
    site.origin = origin
    site.address = `10.0.${number}.${round}`
    return child
  }

  async function writeUntilKilled(child: ChildProcess, round: number): Promise<void> {
    const exited = once(child, 'exit')
    let left = Math.floor(Math.random() * (WRITES_OF_A_PAIR + 3))
    const done = (one: Promised) => {
      promised.push(one)
      left -= 1
      if (left === 0) killSoon(child)
    }
    if (left === 0) killSoon(child)
    for (let pair = 0; !child.killed; pair += 1) {
      await liveOnce(site, `${number}-${round}-${pair}`, done).catch((error: unknown) => {
        // What fails by the kill was never promised.
        if (!child.killed) throw error
      })
    }
    await exited
  }

  for (let round = 0; round < kills; round += 1) {
    const child = await start(round)
    await check(checked)
    await writeUntilKilled(child, round)
  }
  const child = await start(kills)
  await check(0)
  child.kill('SIGKILL')
  return { count: promised.length, lost }
}

test(`a server that is killed ${KILLS} times keeps whatever it acknowledged`, { timeout: 240_000 }, async () => {
  const lanes = await Promise.all(Array.from({ length: LANES }, (_, number) => lane(number, KILLS / LANES)))
  console.log(`kill: ${lanes.map(({ count }) => count).join(' and ')} acknowledged writes`)
  expect(lanes.flatMap(({ lost }) => lost)).toEqual([])
  for (const { count } of lanes) expect(count).toBeGreaterThan(KILLS / LANES)
})
