import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

const HEAP_MB = 512
const STOP_MS = 15_000
const METRICS_TOKEN = 'metrics-token-of-the-attacks-bench'

export type ServerUnderAttack = {
  origin: string
  pid: number
  isAlive(): boolean
  /** Why it ended, null while it runs. */
  end(): string | null
  /** Megabytes of its JavaScript heap that are in use, null when it does not respond. */
  heap(): Promise<number | null>
  stop(): Promise<void>
}

/** Starts the server of the repository in `folder` with a small heap, without pages and with records of its own. */
export async function startServerUnderAttack(
  folder: string,
  env: Record<string, string> = {},
): Promise<ServerUnderAttack> {
  const dataDir = mkdtempSync(join(tmpdir(), 'bench-attacks-'))
  const child = spawn(process.execPath, [`--max-old-space-size=${HEAP_MB}`, 'server/main.ts'], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'ignore'],
    env: {
      ...process.env,
      NODE_ENV: 'test',
      PORT: '0',
      DATA_DIR: dataDir,
      STUN_URL: 'stun:127.0.0.1:3478',
      LOG_LEVEL: 'silent',
      METRICS_TOKEN,
      ...env,
    },
  })
  let ending: string | null = null
  const exited = new Promise<void>((resolve) =>
    child.once('exit', (code, signal) => {
      ending = signal ?? `exit ${code}`
      resolve()
    }),
  )
  const origin = await new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      const [, address] = /Waggle is at (http:\/\/localhost:\d+)/.exec(line) ?? []
      if (address !== undefined) resolve(address)
    })
    exited.then(() => reject(new Error(`The server of ${folder} ended before it listened: ${ending}`)))
  })
  return {
    origin,
    pid: child.pid ?? 0,
    isAlive: () => ending === null,
    end: () => ending,
    async heap() {
      const headers = { authorization: `Bearer ${METRICS_TOKEN}` }
      const text = await fetch(`${origin}/metrics`, { headers, signal: AbortSignal.timeout(5_000) })
        .then((response) => response.text())
        .catch(() => '')
      const [, bytes] = /^nodejs_heap_size_used_bytes (\S+)$/m.exec(text) ?? []
      return bytes === undefined ? null : Number(bytes) / 1024 / 1024
    },
    async stop() {
      child.kill('SIGTERM')
      const kill = setTimeout(() => child.kill('SIGKILL'), STOP_MS)
      await exited
      clearTimeout(kill)
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}
