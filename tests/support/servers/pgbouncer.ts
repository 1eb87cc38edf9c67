import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { freePort } from '../../../scripts/free-port.ts'
import { pathOf } from '../../../scripts/programs.ts'
import { postgresUser } from './postgres.ts'

export type PgBouncer = { port: number; stop(): Promise<void> }

/** Starts PgBouncer in front of the PostgreSQL on `postgresPort`, with the settings of docs/operations.md, in transaction mode: each transaction may get another connection. */
export async function startPgBouncer(postgresPort: number): Promise<PgBouncer> {
  const path = pathOf('pgbouncer')
  if (path === '') throw new Error('Install PgBouncer (Debian: apt-get install pgbouncer) or set PGBOUNCER_PATH.')
  const folder = mkdtempSync(join(tmpdir(), 'pgbouncer-'))
  const port = await freePort()
  const [file, users] = [join(folder, 'pgbouncer.ini'), join(folder, 'users.txt')]
  const settings = [
    '[databases]',
    `* = host=127.0.0.1 port=${postgresPort}`,
    '[pgbouncer]',
    `listen_port = ${port}`,
    'listen_addr = 127.0.0.1',
    'unix_socket_dir =',
    'auth_type = trust',
    `auth_file = ${users}`,
    'pool_mode = transaction',
    'ignore_startup_parameters = statement_timeout, idle_in_transaction_session_timeout',
  ]
  writeFileSync(file, settings.join('\n'))
  writeFileSync(users, '"postgres" ""\n')
  // It refuses to run as root, too.
  const user = postgresUser()
  if (user) for (const name of [folder, file, users]) chownSync(name, user.uid, user.gid)
  const child = spawn(path, [file], { ...user, cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] })
  const exited = once(child, 'exit')
  let written = ''
  await new Promise<void>((resolve, reject) => {
    createInterface({ input: child.stderr }).on('line', (line) => {
      written += `${line}\n`
      if (line.includes('process up')) resolve()
    })
    child.once('exit', () => reject(new Error(`PgBouncer ended before it listened: ${written}`)))
  })
  return {
    port,
    async stop() {
      child.kill('SIGKILL')
      await exited
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
