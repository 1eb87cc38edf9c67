import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

export type ServerProcess = {
  /** The address at which it listens, such as http://localhost:40123. */
  url: string
  pid: number
  dataDir: string
  /** Ends the server by SIGTERM and removes its data folder. Resolves with its exit code. */
  stop(): Promise<number | null>
  /** Ends the server by SIGKILL, like a power loss; its data folder stays. */
  kill(): Promise<void>
}

/**
 * Starts the server as `npm start` does, on a free port, with a data folder of its own and STUN on loopback. Calls `onLine` with each
 * line that it writes. `program` is the file that runs it.
 */
export async function startServerProcess(
  env: Record<string, string> = {},
  onLine?: (line: string) => void,
  program = 'server/main.ts',
): Promise<ServerProcess> {
  const folder = mkdtempSync(join(tmpdir(), 'waggle-'))
  const child = spawn(process.execPath, [program], {
    stdio: ['ignore', 'pipe', onLine ? 'pipe' : 'inherit'],
    env: {
      ...process.env,
      // A build in this process may have set another value.
      NODE_ENV: 'test',
      PORT: '0',
      DATA_DIR: folder,
      STUN_URL: 'stun:127.0.0.1:3478',
      LOG_LEVEL: 'warn',
      // For a slow machine.
      DATABASE_TIMEOUT_MS: '60000',
      ...env,
    },
  })
  if (onLine) for (const output of [child.stdout, child.stderr]) if (output) createInterface(output).on('line', onLine)
  const exited = new Promise<number | null>((resolve) => child.once('exit', (code) => resolve(code)))
  const url = await Promise.race([listening(child), exited.then((code) => `exit ${code}`)])
  if (!url.startsWith('http')) throw new Error(`The server ended before it listened: ${url}`)
  return {
    url,
    pid: child.pid ?? 0,
    dataDir: env.DATA_DIR ?? folder,
    async stop() {
      child.kill('SIGTERM')
      const code = await exited
      rmSync(folder, { recursive: true, force: true })
      return code
    },
    async kill() {
      child.kill('SIGKILL')
      await exited
    },
  }
}

/** Resolves with the URL that the server prints once it listens. */
function listening(child: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    if (!child.stdout) return
    createInterface({ input: child.stdout }).on('line', (line) => {
      const address = /Waggle is at (http:\/\/localhost:\d+)/.exec(line)
      if (address?.[1]) resolve(address[1])
    })
  })
}
