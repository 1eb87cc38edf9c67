import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import * as v from 'valibot'
import { WebSocket } from 'ws'
import { WAIT_MS } from '../../scripts/test-limits.ts'
import { createJwt } from '../../server/accounts/http/jwt.ts'
import { tokenTools } from '../../server/platform/crypto.ts'
import { createDice, type Dice } from './dice.ts'
import { anyFrame, anyPoison, anyRequest, type FuzzRequest } from './fuzz-inputs.ts'
import { openStore } from './stores/store.ts'

/** Of all that is sent. */
const REQUESTS_SHARE = 0.4
const PEOPLE = 150
const AT_ONCE = 24
const FRAMES_OF_A_CONNECTION = 30
const LOOK_MS = 100
const HANDSHAKE = '{"protocol":"json","version":1}\u001e'

const consoleToken = 'token-of-a-moderator'
const jwtSecret = 'secret-of-the-fuzz-test-'.repeat(2)

type Login = { cookie: string; hubToken: string; known: [string, ...string[]] }

/** Users with profiles, and the cookies of their browsers; each is a moderator as well. */
async function makePeople(folder: string): Promise<[Login, ...Login[]]> {
  const jwt = createJwt(jwtSecret, { now: Date.now, after: () => () => undefined })
  const store = await openStore(folder, randomUUID)
  async function person(n: number): Promise<Login> {
    const email = `person${n}@example.org`
    const identity = { provider: 'Google', subject: String(n), email, firstName: 'A', lastName: 'B' } as const
    const account = await store.accounts.signIn(identity, Date.now())
    const consent = { consentVersion: '1', consentAt: Date.now() }
    const profile = { nickName: 'Ada', gender: 'girl', dateOfBirth: '1990-12-10', ...consent } as const
    await store.accounts.saveProfile(account.id, profile, null)
    const login = { accountId: account.id, sessionId: randomUUID(), signedInAt: Date.now() }
    await store.loginSessions.create(login.sessionId, Date.now())
    await store.logins.attach(login.sessionId, account.id, login.signedInAt)
    const known: [string, ...string[]] = [
      login.sessionId,
      email,
      '[]',
      'ReportOnly',
      '{"type":"offer","sdp":"m=audio "}',
    ]
    const cookie = `access=${await jwt.makeAccessToken(login)}; moderator=${consoleToken}`
    return { cookie, hubToken: await jwt.makeHubToken(login), known }
  }
  const moderator = { name: 'mo', password: 'x', totpSecret: 'x', totpStep: 0, createdAt: Date.now(), disabledAt: null }
  await store.moderators.add({ ...moderator, id: 'mo' })
  const now = Date.now()
  const digest = tokenTools.digest(consoleToken)
  await store.moderators.openLoginSession(
    { id: 'mo', moderatorId: 'mo', createdAt: now, seenAt: now, digest },
    moderator.password,
  )
  const first = await person(0)
  const others = await Promise.all(Array.from({ length: PEOPLE - 1 }, (_, n) => person(n + 1)))
  await store.close()
  return [first, ...others]
}

function startFuzzed(folder: string): { child: ChildProcess; lines: string[] } {
  const dist = join(folder, 'pages')
  mkdirSync(join(dist, 'assets'), { recursive: true })
  mkdirSync(join(dist, '.pages', 'en'), { recursive: true })
  writeFileSync(
    join(dist, '.pages', 'en', 'shell.html'),
    '<script type="application/json" id="page-config">null</script>',
  )
  writeFileSync(join(dist, 'assets', 'main.js'), '0')
  const program = fileURLToPath(new URL('./servers/fuzz-server.ts', import.meta.url))
  const child = spawn(process.execPath, ['--expose-gc', program], {
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    env: {
      ...process.env,
      NODE_ENV: 'test',
      PORT: '0',
      DATA_DIR: folder,
      FUZZ_DIST: dist,
      JWT_SECRET: jwtSecret,
      LOG_LEVEL: 'error',
      TRUST_PROXY: '127.0.0.1',
      STUN_URL: 'stun:127.0.0.1:3478',
    },
  })
  const lines: string[] = []
  for (const output of [child.stdout, child.stderr])
    if (output) createInterface(output).on('line', (line) => lines.push(line))
  return { child, lines }
}

async function nextMessage<S extends v.GenericSchema>(child: ChildProcess, schema: S): Promise<v.InferOutput<S>> {
  const [message] = await once(child, 'message')
  return v.parse(schema, message)
}

/** Bytes of heap in use after a collection, and open TCP sockets. */
async function usageOf(child: ChildProcess): Promise<{ heap: number; sockets: number }> {
  const usage = nextMessage(child, v.object({ heap: v.number(), sockets: v.number() }))
  child.send('usage')
  return usage
}

function send(port: string, agent: Agent, { method, path, headers, body }: FuzzRequest): Promise<number> {
  return new Promise((resolve) => {
    const length = body === null ? {} : { 'content-length': Buffer.byteLength(body) }
    const asked = request({ port, agent, method, path, headers: { ...headers, ...length } }, (response) => {
      response.on('error', () => resolve(0)).on('end', () => resolve(response.statusCode ?? 0))
      response.resume()
    })
    // The server may end a connection while it receives a body that it does not read.
    asked.on('error', () => resolve(0))
    asked.end(body ?? undefined)
  })
}

/** Sends some frames over one connection, the last often one that ends it, and waits for its end. */
async function fuzzConnection(port: string, dice: Dice, person: Login, onText: (text: string) => void): Promise<void> {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/chathub?access_token=${person.hubToken}`, {
    headers: { 'x-forwarded-for': `10.0.1.${dice.below(256)}` },
  })
  socket.on('error', () => undefined).on('message', (data) => onText(String(data)))
  const closed = once(socket, 'close')
  socket.on('open', () => {
    if (dice.chance(0.95)) socket.send(HANDSHAKE)
    for (let n = 1; n < FRAMES_OF_A_CONNECTION; n += 1) socket.send(anyFrame(dice, person.known))
    socket.send(dice.chance(0.5) ? anyPoison(dice) : '{"type":7}\u001e')
    socket.close()
  })
  await closed
}

/** Runs `task` `count` times, a few at a time. */
async function many(count: number, task: () => Promise<void>): Promise<void> {
  let left = count
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      while (left > 0) {
        left -= 1
        await task()
      }
    }),
  )
}

export type FuzzOutcome = {
  /** Number of responses by HTTP status; 0 is a connection that ended without one. */
  statuses: Map<number, number>
  /** Error codes that the hub sent. */
  codes: Map<string, number>
  /** Bytes in use after 30 % of the inputs and after all of them. */
  heaps: [number, number]
  /** Open TCP sockets after every client disconnected, or after WAIT_MS. */
  sockets: number
  /** Exit code and signal of the server. */
  exit: unknown[]
  /** Lines that it logged. */
  lines: string[]
}

/** Sends `inputs` requests and frames that follow from the seed to a server process. Throws at a status of 500 or more. */
export async function fuzzServer(seed: number, inputs: number): Promise<FuzzOutcome> {
  const folder = mkdtempSync(join(tmpdir(), 'fuzz-'))
  const people = await makePeople(folder)
  const { child, lines } = startFuzzed(folder)
  try {
    const exited = once(child, 'exit')
    const { origin } = await nextMessage(child, v.object({ origin: v.string() }))
    const { port } = new URL(origin)
    const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE })
    const dice = createDice(seed)
    const statuses = new Map<number, number>()
    const codes = new Map<string, number>()
    const count = <K>(counts: Map<K, number>, key: K) => counts.set(key, (counts.get(key) ?? 0) + 1)
    const onMessage = (text: string) => {
      for (const [, code = ''] of text.matchAll(/"error":"([\w-]+)/g)) count(codes, code)
    }
    async function oneRequest(): Promise<void> {
      const asked = anyRequest(dice, dice.oneOf(people).cookie, origin)
      const status = await send(port, agent, asked)
      count(statuses, status)
      if (status >= 500) throw new Error(`${status} for ${JSON.stringify(asked).slice(0, 2_000)} ${lines.at(-1)}`)
    }
    async function part(share: number): Promise<void> {
      await many(inputs * REQUESTS_SHARE * share, oneRequest)
      await many((inputs * (1 - REQUESTS_SHARE) * share) / FRAMES_OF_A_CONNECTION, () =>
        fuzzConnection(port, dice, dice.oneOf(people), onMessage),
      )
    }

    await part(0.3)
    const early = await usageOf(child)
    await part(0.7)
    const late = await usageOf(child)
    agent.destroy()
    let { sockets } = late
    for (let waited = 0; sockets > 0 && waited < WAIT_MS; waited += LOOK_MS) {
      await wait(LOOK_MS)
      sockets = (await usageOf(child)).sockets
    }
    child.send('stop')
    return { statuses, codes, heaps: [early.heap, late.heap], sockets, exit: await exited, lines }
  } finally {
    child.kill('SIGKILL')
    rmSync(folder, { recursive: true, force: true })
  }
}
