import { spawn } from 'node:child_process'
import { createHmac, randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { coturnPath } from '../../../scripts/coturn.ts'
import { freePort } from './free-port.ts'
import { openTurnClient, type TurnLogin } from './turn-client.ts'

export type Coturn = {
  port: number
  /** Environment variables with which Waggle's server issues credentials for it. */
  env: { TURN_URL: string; TURN_SECRET: string }
  /** Returns credentials like those of Waggle's server, valid for `seconds`. */
  login(seconds: number): TurnLogin
  /** Returns the output so far. */
  output(): string
  /** Sends SIGTERM, waits for the exit, and removes the folder. */
  stop(): Promise<void>
}

/** Options that allow loopback peers, which the deployed configuration denies. */
export const LOOPBACK_PEERS = ['--allow-loopback-peers', '--allowed-peer-ip=127.0.0.1']

/** Starts coturn with the deployed configuration on a free loopback port. `overlay` holds additional options. */
export async function startCoturn(overlay: string[] = []): Promise<Coturn> {
  const path = coturnPath()
  if (path === '') throw new Error('Install coturn (Debian: apt-get install coturn) or set COTURN_PATH to one.')
  const folder = mkdtempSync(join(tmpdir(), 'coturn-'))
  const port = await freePort()
  const secret = randomBytes(24).toString('base64url')
  const child = spawn(
    path,
    [
      ...['-c', join(import.meta.dirname, '../../../deploy/coturn/turnserver.conf')],
      `--static-auth-secret=${secret}`,
      `--listening-port=${port}`,
      '--listening-ip=127.0.0.1',
      '--relay-ip=127.0.0.1',
      '--no-tls',
      '--no-dtls',
      `--pidfile=${join(folder, 'pid')}`,
      ...overlay,
    ],
    { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] },
  )
  let written = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (part: Buffer) => (written += part.toString()))
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const early = exited.then(() => {
    throw new Error(`coturn ended before it listened: ${written}`)
  })
  const client = await openTurnClient(port)
  await Promise.race([client.answers(), early]).finally(client.close)
  // An exit after this is no fault.
  early.catch(() => {})
  return {
    port,
    env: {
      TURN_URL: ['udp', 'tcp'].map((way) => `turn:127.0.0.1:${port}?transport=${way}`).join(','),
      TURN_SECRET: secret,
    },
    login(seconds) {
      const username = `${Math.floor(Date.now() / 1000) + seconds}:random`
      return { username, credential: createHmac('sha1', secret).update(username).digest('base64') }
    },
    output: () => written,
    async stop() {
      child.kill('SIGTERM')
      await exited
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
