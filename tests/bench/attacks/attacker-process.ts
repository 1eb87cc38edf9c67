import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import * as v from 'valibot'
import type { Outcomes } from '../../support/attacks/outcomes.ts'

const TASKSET = '/usr/bin/taskset'
const NICE = '/usr/bin/nice'
const PREPARE_MS = 120_000
const outcomesSchema = v.pipe(v.string(), v.parseJson(), v.record(v.string(), v.number()))

/** On the second core and behind everything else, so that the server has the machine that it would have alone. */
function politely(command: string[]): [string, ...string[]] {
  const pinned = existsSync(TASKSET) ? [TASKSET, '-c', '1', ...command] : command
  const [program = '', ...args] = existsSync(NICE) ? [NICE, '-n', '10', ...pinned] : pinned
  return [program, ...args]
}

export type Attacker = {
  /** Attacks; null when it did not end within `atMostMs`. */
  attack(atMostMs: number): Promise<Outcomes | null>
  stop(): void
}

/** Starts a process that prepares one attack; resolves when it is ready. */
export async function startAttacker(name: string, origin: string): Promise<Attacker> {
  const path = fileURLToPath(new URL('./attacker.ts', import.meta.url))
  const [program, ...args] = politely([process.execPath, path, name, origin])
  const child: ChildProcess = spawn(program, args, { stdio: ['pipe', 'pipe', 'inherit'] })
  const lines: string[] = []
  let wake = () => {}
  if (child.stdout)
    createInterface({ input: child.stdout }).on('line', (line) => {
      lines.push(line)
      wake()
    })
  let ended = false
  child.once('exit', () => {
    ended = true
    wake()
  })
  async function nextLine(atMostMs: number): Promise<string | null> {
    const until = performance.now() + atMostMs
    while (lines.length === 0 && !ended && performance.now() < until)
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, Math.max(0, until - performance.now()))
        wake = () => {
          clearTimeout(timer)
          resolve()
        }
      })
    return lines.shift() ?? null
  }
  if ((await nextLine(PREPARE_MS)) !== 'ready') {
    child.kill('SIGKILL')
    throw new Error(`The attack ${name} could not be prepared`)
  }
  return {
    async attack(atMostMs) {
      child.stdin?.write('attack\n')
      const line = await nextLine(atMostMs)
      return line === null ? null : v.parse(outcomesSchema, line)
    },
    stop: () => child.kill('SIGKILL'),
  }
}
