import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { afterEach, beforeEach, expect, test } from 'vitest'

let repository: string
let folder: string
let pid: number
const git = (...args: string[]) => execFileSync('git', args, { cwd: repository, encoding: 'utf8' })

beforeEach(() => {
  folder = ''
  pid = 0
  repository = mkdtempSync(join(tmpdir(), 'waggle-repository-'))
  const made = { name: 'made', version: '1.0.0' }
  writeFileSync(join(repository, 'package.json'), JSON.stringify(made))
  writeFileSync(
    join(repository, 'package-lock.json'),
    JSON.stringify({ ...made, lockfileVersion: 3, requires: true, packages: { '': made } }),
  )
  git('init', '--quiet')
  git('add', '.')
  git('-c', 'user.name=Ada', '-c', 'user.email=ada@example.org', 'commit', '--quiet', '--message', 'made')
})
afterEach(() => {
  // Where the command did not.
  if (pid > 0 && isRunning(pid)) process.kill(pid)
  if (folder !== '') rmSync(resolve(folder, '..'), { recursive: true, force: true })
  rmSync(repository, { recursive: true })
})

const worktrees = () => git('worktree', 'list').trimEnd().split('\n').length

/** A command that waits in the other commit's folder, of which it prints the path, and there runs a program that never ends. */
const command = `
  import { atCommit } from '${resolve('tests/trace/against.ts')}'
  import { endOnSignals, run } from '${resolve('tests/trace/ending.ts')}'
  endOnSignals()
  await atCommit('HEAD', async () => {
    console.log('folder ' + process.cwd())
    await run(process.execPath, '--eval', 'console.log("child " + process.pid); setInterval(() => {}, 1000)')
  })
`

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

test.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)('%s removes the worktree of the other commit and ends what runs in it', async (signal, code) => {
  const child = spawn(process.execPath, ['--input-type=module-typescript', '--eval', command], {
    cwd: repository,
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const exited = once(child, 'exit')
  for await (const line of createInterface(child.stdout)) {
    if (line.startsWith('folder ')) folder = line.slice('folder '.length)
    if (!line.startsWith('child ')) continue
    pid = Number(line.slice('child '.length))
    break
  }
  expect([existsSync(folder), worktrees(), isRunning(pid)]).toEqual([true, 2, true])
  child.kill(signal)
  expect(await exited).toEqual([code, null])
  expect([existsSync(folder), worktrees(), isRunning(pid)]).toEqual([false, 1, false])
})
