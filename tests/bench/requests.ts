import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { EndpointInput, EndpointName } from '#protocol/rest.ts'
import { jpegOf } from '../support/pictures/jpegs.ts'
import { newDatabase, startPostgres } from '../support/servers/postgres.ts'
import { identityToken, newVisitor, sessionOf, type Visitor } from '../support/servers/server.ts'
import { startServerProcess } from '../support/servers/server-process.ts'
import { processorTimes } from './processor-times.ts'

const USERS = 1_000
const AT_ONCE = 16
/** Users who send a picture and frames; each costs a decode and an encode. */
const SENDERS = 300

/** `server` is milliseconds of the server's processors for one. */
export type RequestMetrics = { what: string; perSecond: number; p50: number; p99: number; server: number }

type Person = { visitor: Visitor; email: string; sessionId: string; accessToken: string }

/** Runs one task for each of a list, a few at a time. */
async function each<T, R>(list: readonly T[], task: (one: T, index: number) => Promise<R>): Promise<R[]> {
  const results: R[] = []
  const entries = list.entries()
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (const [index, one] of entries) results[index] = await task(one, index)
    }),
  )
  return results
}

async function measure<N extends EndpointName>(
  what: string,
  people: readonly Person[],
  name: N,
  inputOf: (person: Person) => EndpointInput<N>,
): Promise<RequestMetrics> {
  const [start, before] = [performance.now(), processorTimes()]
  const times = await each(people, async (person) => {
    const began = performance.now()
    const response = await person.visitor.send(name, inputOf(person))
    await response.arrayBuffer()
    if (response.status !== 200) throw new Error(`${name}: ${response.status}`)
    return performance.now() - began
  })
  const perSecond = (people.length * 1_000) / (performance.now() - start)
  const spent = (processorTimes().servers ?? 0) - (before.servers ?? 0)
  times.sort((a, b) => a - b)
  const at = (part: number) => times[Math.floor(times.length * part)] ?? 0
  return { what, perSecond, p50: at(0.5), p99: at(0.99), server: (spent * 1_000) / people.length }
}

function bytesIn(folder: string): number {
  return readdirSync(folder).reduce((sum, name) => sum + statSync(join(folder, name)).size, 0)
}

const fields = ({ email }: Person) =>
  ({ EmailAddress: email, NickName: 'Ada', Gender: 'girl', DOB: '1990-12-10', ConsentAgreed: 'true' }) as const

function visitors(site: { origin: string }): Promise<Person[]> {
  return each(Array.from({ length: USERS }), async (_, index): Promise<Person> => {
    // Each from an address of its own: what is measured is the server, not its limits.
    const visitor = newVisitor(site, { 'x-forwarded-for': `10.0.${index >> 8}.${index & 255}` })
    const email = `person${index}@example.org`
    const [sessionId, accessToken] = [await sessionOf(visitor), await identityToken(visitor, { email })]
    const entry = {
      DeviceType: 'Web',
      UserAppRunOn: 'Chrome',
      UserDeviceName: 'desktop',
      UserDeviceOs: 'Linux',
    } as const
    await visitor.request('createSession', { ...entry, UserSessionId: sessionId })
    return { visitor, email, sessionId, accessToken }
  })
}

async function arrivals(people: readonly Person[]): Promise<{ signIn: RequestMetrics; profile: RequestMetrics }> {
  const signIn = await measure('sign-in', people, 'setTokens', ({ email, sessionId, accessToken }) => ({
    userEmailAddress: email,
    userSessionId: sessionId,
    sourceAccessToken: accessToken,
    platformType: 'Web',
    source: 'Google',
  }))
  return { signIn, profile: await measure('profile', people, 'addProfile', fields) }
}

const run = (env: Record<string, string>) => startServerProcess({ TRUST_PROXY: '127.0.0.1,::1', ...env })

/** Sign-in, profile and frame requests against the real server over loopback, and what 1,000 users take on the disk. */
export async function benchRequests(): Promise<{ metrics: RequestMetrics[]; bytes: number; pictureBytes: number }> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-requests-'))
  let server = await run({ DATA_DIR: folder })
  const people = await visitors({ origin: server.url })
  const senders = people.slice(0, SENDERS)
  const jpeg = new Uint8Array(await jpegOf({ width: 640, height: 480 }))
  const file = { blob: new Blob([jpeg]), fileName: 'frame.jpg' }

  const { signIn, profile } = await arrivals(people)
  const none = () => undefined
  const light = [
    await measure('online count', people, 'readOnlineUsers', none),
    await measure('validation of a login', people, 'validateAccessToken', none),
    await measure('word of a connection', people, 'reportConnection', () => ({ outcome: 'direct', afterMs: 400 })),
  ]
  await server.stop()
  const bytes = bytesIn(folder)
  server = await run({ DATA_DIR: folder })
  const origin = server.url
  const moved = senders.map((person, index): Person => {
    const visitor = newVisitor({ origin }, { 'x-forwarded-for': `10.1.${index >> 8}.${index & 255}` })
    for (const [name, value] of person.visitor.cookies) visitor.cookies.set(name, value)
    return { ...person, visitor }
  })
  const picture = await measure('profile with a picture', moved, 'addProfile', (person) => ({
    ...fields(person),
    file,
  }))
  const frame = await measure('frame of 640x480', moved, 'addVideoFrame', ({ email, sessionId }) => ({
    EmailAddress: email,
    UserSessionId: sessionId,
    file,
  }))
  await server.stop()
  const pictureBytes = (bytesIn(folder) - bytes) / SENDERS
  rmSync(folder, { recursive: true, force: true })
  return { metrics: [signIn, profile, ...light, picture, frame], bytes, pictureBytes }
}

async function arrivalsAt(env: Record<string, string>) {
  const server = await run(env)
  try {
    return await arrivals(await visitors({ origin: server.url }))
  } finally {
    await server.stop()
  }
}

/** Sign-in and profile with the records in PostgreSQL on the same machine, against SQLite. */
export async function benchRecords() {
  const postgres = await startPostgres({ durable: true })
  try {
    const url = await newDatabase(postgres.port)
    return { sqlite: await arrivalsAt({}), shared: await arrivalsAt({ DATABASE_URL: url }) }
  } finally {
    await postgres.stop()
  }
}
