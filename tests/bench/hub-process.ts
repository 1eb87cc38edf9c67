import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import * as v from 'valibot'

const TASKSET = '/usr/bin/taskset'

export type HubProcess = {
  url: string
  /** Bytes of heap after a garbage collection. */
  memory(): Promise<number>
  stop(): void
}

/** The product's hub or a bare `ws` server in a process of its own, on one core where the machine lets us choose. */
export async function startHubProcess(kind: 'hub' | 'bare'): Promise<HubProcess> {
  const path = fileURLToPath(new URL('./hub-relay-server.ts', import.meta.url))
  const command = [process.execPath, '--expose-gc', path, kind]
  const [program = '', ...args] = existsSync(TASKSET) ? [TASKSET, '-c', '0', ...command] : command
  const server = spawn(program, args, { stdio: ['pipe', 'pipe', 'inherit'] })
  const lines = createInterface({ input: server.stdout })
  const nextLine = async () => String((await once(lines, 'line'))[0])
  return {
    url: await nextLine(),
    async memory() {
      const line = nextLine()
      server.stdin.write('memory\n')
      return v.parse(v.pipe(v.string(), v.transform(Number), v.number()), await line)
    },
    stop: () => end(server),
  }
}

function end(server: ChildProcess): void {
  server.kill('SIGKILL')
}
