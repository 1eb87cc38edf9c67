import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { freePort } from '../../../scripts/free-port.ts'
import { pathOf } from '../../../scripts/programs.ts'

export type RedisServer = {
  url: string
  port: number
  /** Kills it by SIGKILL; its data is lost. */
  kill(): Promise<void>
  /** Starts it again on the same port. */
  start(): Promise<void>
  /** Suspends it until `wake`; its connections stay open. */
  freeze(): void
  wake(): void
  stop(): Promise<void>
}

/** Starts a real redis-server on a free loopback port without persistence. `options` are added to its command line. */
export async function startRedis(options: string[] = []): Promise<RedisServer> {
  const path = pathOf('redis-server')
  if (path === '') throw new Error('Install Redis (Debian: apt-get install redis-server) or set REDIS_SERVER_PATH.')
  const folder = mkdtempSync(join(tmpdir(), 'redis-'))
  const port = await freePort()
  let child: ChildProcess | null = null

  async function start(): Promise<void> {
    const args = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no', '--dir', folder]
    const started = spawn(path, [...args, ...options], { stdio: ['ignore', 'pipe', 'inherit'] })
    child = started
    await new Promise<void>((resolve, reject) => {
      started.once('exit', (code) => reject(new Error(`redis-server ended with ${code} before it listened`)))
      createInterface({ input: started.stdout }).on('line', (line) => {
        if (line.includes('Ready to accept connections')) resolve()
      })
    })
  }

  async function kill(): Promise<void> {
    const running = child
    child = null
    if (!running) return
    const exited = new Promise<void>((resolve) => running.once('exit', () => resolve()))
    running.kill('SIGKILL')
    await exited
  }

  await start()
  return {
    url: `redis://127.0.0.1:${port}`,
    port,
    start,
    kill,
    freeze: () => void child?.kill('SIGSTOP'),
    wake: () => void child?.kill('SIGCONT'),
    async stop() {
      await kill()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
