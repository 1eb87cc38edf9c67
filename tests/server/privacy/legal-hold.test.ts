import { execFile } from 'node:child_process'
import { rm } from 'node:fs/promises'
import { promisify } from 'node:util'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { signIn, startServer, type TestServer } from '../../support/servers/server.ts'
import { migratedFolder } from '../../support/stores/migrated.ts'

let server: TestServer
let folder: string

beforeEach(async () => {
  folder = await migratedFolder()
  server = await startServer({}, { dataDir: folder })
  await signIn(server, { email: 'ada@example.org' })
  await signIn(server, { email: 'ada@example.org', source: 'Facebook' })
})
afterEach(async () => {
  await server.stop()
  await rm(folder, { recursive: true })
})

const run = promisify(execFile)

async function hold(...words: string[]): Promise<{ code: number; lines: string[] }> {
  const env = { ...process.env, DATA_DIR: folder }
  try {
    const { stdout } = await run(process.execPath, ['scripts/legal-hold.ts', ...words], { env })
    return { code: 0, lines: stdout.trim().split('\n') }
  } catch (error) {
    const { code, stderr } = error as { code: number; stderr: string }
    return { code, lines: stderr.trim().split('\n') }
  }
}

test('an operator sets, lists and ends holds by the address, at every provider', async () => {
  const [set, list, release, again, nobody, nameless] = [
    await hold('set', 'Ada@example.org', 'Case 7', '--by', 'J. Doe'),
    await hold('list'),
    await hold('release', 'ada@example.org'),
    await hold('release', 'ada@example.org'),
    await hold('set', 'nobody@example.org', 'Case 7', '--by', 'J. Doe'),
    await hold('set', 'ada@example.org', 'no name'),
  ]
  expect(set).toMatchObject({ code: 0, lines: [/ is held$/, / is held$/].map((words) => expect.stringMatching(words)) })
  expect(list?.lines).toHaveLength(2)
  expect(list?.lines[0]).toMatch(/ {2}J\. Doe {2}Case 7$/)
  expect(release?.lines[0]).toMatch(/is no longer held$/)
  expect(again?.lines[0]).toMatch(/was not held$/)
  expect(nobody).toEqual({ code: 1, lines: ['No account has this address'] })
  expect(nameless).toMatchObject({ code: 1, lines: expect.arrayContaining([expect.stringMatching(/--by NAME$/)]) })
})

test('the command does the same without a running server', async () => {
  await server.stop()
  expect((await hold('set', 'Ada@example.org', 'Case 7', '--by', 'J. Doe')).lines).toHaveLength(2)
  expect((await hold('list')).lines[0]).toMatch(/ {2}J\. Doe {2}Case 7$/)
  expect(await hold('release', 'nobody@example.org')).toEqual({ code: 1, lines: ['No account has this address'] })
})
