import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../free-port.ts'
import { pathOf } from '../programs.ts'

export type CoturnProcess = Awaited<ReturnType<typeof startCoturnProcess>>

/** Options that allow loopback peers, which the deployed configuration denies. */
export const LOOPBACK_PEERS = ['--allow-loopback-peers', '--allowed-peer-ip=127.0.0.1']

/** Interval at which a request is sent until coturn responds. */
const AGAIN_MS = 100

/** Starts coturn with the deployed configuration on a free loopback port. `overlay` holds additional options. */
export async function startCoturnProcess(overlay: string[]) {
  const path = pathOf('coturn')
  if (path === '') throw new Error('Install coturn (Debian: apt-get install coturn) or set COTURN_PATH to one.')
  const folder = mkdtempSync(join(tmpdir(), 'coturn-'))
  const port = await freePort()
  const secret = randomBytes(24).toString('base64url')
  const child = spawn(
    path,
    [
      ...['-c', join(import.meta.dirname, '../../deploy/coturn/turnserver.conf')],
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
  const waiting = new AbortController()
  const early = exited.then(() => {
    throw new Error(`coturn ended before it listened: ${written}`)
  })
  await Promise.race([answers(port, waiting.signal), early]).finally(() => waiting.abort())
  // An exit from now on is no fault.
  early.catch(() => {})
  return {
    port,
    /** The shared secret of time-limited credentials. */
    secret,
    /** Returns the output so far. */
    output: () => written,
    /** Sends SIGTERM, waits for the exit, and removes the folder. */
    async stop(): Promise<void> {
      child.kill('SIGTERM')
      await exited
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Resolves with the first response to a STUN binding request (RFC 8489), which is resent until `signal` aborts. */
async function answers(port: number, signal: AbortSignal): Promise<void> {
  const request = Buffer.concat([Buffer.from('000100002112a442', 'hex'), randomBytes(12)])
  const socket = createSocket({ type: 'udp4', signal })
  const send = () => socket.send(request, port, '127.0.0.1')
  const timer = setInterval(send, AGAIN_MS)
  signal.addEventListener('abort', () => clearInterval(timer))
  send()
  await once(socket, 'message')
}
