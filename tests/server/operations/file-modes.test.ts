import { execFile } from 'node:child_process'
import { chmod, mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { signIn, startServer } from '../../support/servers/server.ts'
import { startServerProcess } from '../../support/servers/server-process.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'modes-test-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** The permissions of a folder and its entries, in octal. */
async function modesOf(path: string): Promise<Record<string, string>> {
  const names = ['.', ...(await readdir(path))]
  const modes = names.map(async (name) => [name, ((await stat(join(path, name))).mode & 0o777).toString(8)] as const)
  return Object.fromEntries(await Promise.all(modes))
}

const forOwner = { '.': '700', 'waggle.sqlite': '600', 'secrets.json': '600' }

test('only the user of the server can read the data folder, its files and a backup, with any umask', async () => {
  const before = process.umask(0o000)
  onTestFinished(() => void process.umask(before))
  const DATA_DIR = join(folder, 'process')
  const server = await startServerProcess({ DATA_DIR })
  onTestFinished(async () => void (await server.stop()))
  await signIn({ origin: server.url }, { email: 'ada@example.org' })
  expect(await modesOf(DATA_DIR)).toEqual({ ...forOwner, 'waggle.sqlite-wal': '600', 'operator.json': '600' })

  const copy = join(folder, 'copy')
  const make = () =>
    promisify(execFile)(process.execPath, ['scripts/backup.ts', 'make', copy], {
      env: { ...process.env, NODE_ENV: 'test', DATA_DIR },
    })
  await make()
  expect(await modesOf(copy)).toEqual(forOwner)
  expect(await server.stop()).toBe(0)

  await rm(copy, { recursive: true })
  await make()
  expect(await modesOf(copy)).toEqual(forOwner)
})

test('files that an earlier version or a copy left readable become private', async () => {
  const dataDir = join(folder, 'earlier')
  await (await startServer({}, { dataDir })).stop()
  for (const name of ['waggle.sqlite', 'secrets.json']) await chmod(join(dataDir, name), 0o644)
  const server = await startServer({}, { dataDir })
  onTestFinished(server.stop)
  expect(await modesOf(dataDir)).toMatchObject({ ...forOwner, 'waggle.sqlite-wal': '600' })
})
