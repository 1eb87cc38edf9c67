import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newVisitor, sessionOf, startServer } from '../../../support/servers/server.ts'

const children: ChildProcess[] = []
let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'process-test-'))
})
afterAll(async () => {
  for (const child of children) child.kill('SIGKILL')
  await rm(folder, { recursive: true })
})

const main = join(import.meta.dirname, '../../../../server/main.ts')

function run(env: Record<string, string>): ChildProcess {
  const { PATH = '', NODE_COMPILE_CACHE = '' } = process.env
  const defaults = { PATH, NODE_COMPILE_CACHE, PORT: '0', LOG_LEVEL: 'silent', DATA_DIR: folder }
  const child = spawn(process.execPath, [main], { env: { ...defaults, ...env } })
  children.push(child)
  return child
}

async function outcome(child: ChildProcess): Promise<{ code: number | null; lines: string[] }> {
  let said = ''
  child.stderr?.on('data', (text) => {
    said += text
  })
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve))
  return { code, lines: said.trimEnd().split('\n') }
}

/** Resolves with the address once the process says it. */
function listening(child: ChildProcess): Promise<{ origin: string; said: string }> {
  let said = ''
  return new Promise((resolve, reject) => {
    child.once('close', () => reject(new Error(`it ended: ${said}`)))
    child.stdout?.on('data', (text) => {
      said += text
      const [, origin] = /^Waggle is at (\S+)\n/m.exec(said) ?? []
      if (origin) resolve({ origin, said })
    })
  })
}

test.each([
  [{ PORT: '70000' }, /^PORT must be a whole number from 0 to 65535, not "70000"$/],
  [{ PUBLIC_ORIGIN: 'https://example.org' }, /^GOOGLE_CLIENT_ID or FACEBOOK_APP_ID must be set when PUBLIC_ORIGIN/],
  [{ NODE_ENV: 'production' }, /^GOOGLE_CLIENT_ID or FACEBOOK_APP_ID must be set/],
  [{ NODE_ENV: 'production', GOOGLE_CLIENT_ID: 'x' }, /^CONTACT_EMAIL must be set when NODE_ENV is "production"/],
  [{ DATA_DIR: '/dev/null/x' }, /^DATA_DIR must be a folder that can be written, not "\/dev\/null\/x"$/],
  [{ HOST: '192.0.2.1' }, /^HOST and PORT must name a free address of this machine: .*192\.0\.2\.1/],
])('%o stops the start with one line', async (env, line) => {
  expect(await outcome(run(env))).toEqual({ code: 1, lines: [expect.stringMatching(line)] })
})

test('a port that is taken stops the start with one line', async () => {
  const other = createServer()
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
  const address = other.address()
  const port = typeof address === 'object' ? String(address?.port) : ''
  expect(await outcome(run({ PORT: port }))).toEqual({ code: 1, lines: [expect.stringMatching(/EADDRINUSE/)] })
  await new Promise((resolve) => other.close(resolve))
})

test('it says where it is and that anybody can be anybody, and ends cleanly when told to', async () => {
  const child = run({})
  const { origin, said } = await listening(child)
  expect(said).toContain('Development sign-in is on')
  expect(await sessionOf(newVisitor({ origin }))).not.toBe('')

  const second = await outcome(run({}))
  expect(second).toEqual({ code: 1, lines: [`DATA_DIR ${folder} is used by another server`] })

  const ended = outcome(child)
  child.kill('SIGTERM')
  expect(await ended).toEqual({ code: 0, lines: [''] })
})

test('a killed server leaves no lock behind', async () => {
  const child = run({})
  await listening(child)
  child.kill('SIGKILL')
  await new Promise((resolve) => child.once('close', resolve))
  const next = run({})
  await listening(next)
  const ended = outcome(next)
  next.kill('SIGINT')
  expect((await ended).code).toBe(0)
})

test('secrets are made once, for the owner alone', async () => {
  const server = await startServer()
  const file = join(server.dataDir, 'secrets.json')
  expect((await stat(file)).mode & 0o777).toBe(0o600)
  const { mtimeMs } = await stat(file)
  await server.restart()
  expect((await stat(file)).mtimeMs).toBe(mtimeMs)
  await server.stop()
})

test('a secrets file of an earlier version is kept and gets the key that it lacks', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'process-test-'))
  const file = join(dataDir, 'secrets.json')
  const earlier = { jwt: 'j'.repeat(40), alias: 'a'.repeat(40) }
  await writeFile(file, JSON.stringify(earlier))
  const server = await startServer({}, { dataDir })
  await server.stop()
  const { mode } = await stat(file)
  const kept: unknown = JSON.parse(await readFile(file, 'utf8'))
  expect(kept).toEqual({ ...earlier, evidence: [{ id: 'first', secret: expect.any(String) }] })
  expect(mode & 0o777).toBe(0o600)
  await rm(dataDir, { recursive: true })
})

test('configured secrets are not written down', async () => {
  const evidence = `new:${'n'.repeat(32)},old:${'o'.repeat(32)}`
  const secrets = { JWT_SECRET: 'j'.repeat(32), ALIAS_SECRET: 'a'.repeat(32), EVIDENCE_KEYS: evidence }
  const server = await startServer(secrets)
  expect(await readdir(server.dataDir)).not.toContain('secrets.json')
  await server.stop()
})

test('a broken secrets file stops the start', async () => {
  const broken = await mkdtemp(join(tmpdir(), 'process-test-'))
  await writeFile(join(broken, 'secrets.json'), '{}')
  const { code, lines } = await outcome(run({ DATA_DIR: broken }))
  expect({ code, count: lines.length }).toEqual({ code: 1, count: 1 })
  await rm(broken, { recursive: true })
})
