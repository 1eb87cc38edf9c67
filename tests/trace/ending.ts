import { spawn } from 'node:child_process'

/** Exit code of a program that a signal ends: 128 and its number. */
const exitCodes = { SIGINT: 130, SIGTERM: 143 } as const

const ends = new Set<() => void | Promise<void>>()
let isEnding = false

/** Does `work`, then `end`: also where the work fails, and where a signal ends the command. */
export async function thenEnd<T>(work: () => Promise<T>, end: () => void | Promise<void>): Promise<T> {
  ends.add(end)
  try {
    return await work()
  } finally {
    // The work failed because of the signal: its handler does the rest, and exits.
    if (isEnding) await new Promise<never>(() => {})
    ends.delete(end)
    await end()
  }
}

/** From now on SIGINT and SIGTERM do what is left to end, last begun first, and then exit. */
export function endOnSignals(): void {
  for (const [signal, code] of Object.entries(exitCodes))
    process.once(signal, () => {
      if (isEnding) return
      isEnding = true
      void endAll().finally(() => process.exit(code))
    })
}

async function endAll(): Promise<void> {
  for (const end of [...ends].reverse()) {
    try {
      await end()
    } catch (error) {
      process.stderr.write(`${String(error)}\n`)
    }
  }
}

/** Runs a program, and ends it where a signal ends the command. Rejects unless it exits with 0. */
export async function run(program: string, ...args: string[]): Promise<void> {
  const child = spawn(program, args, { stdio: 'inherit' })
  const exited = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', resolve)
  })
  const code = await thenEnd(
    () => exited,
    async () => {
      if (child.exitCode !== null || child.signalCode !== null) return
      child.kill()
      await exited
    },
  )
  if (code !== 0) throw new Error(`${program} ${args.join(' ')} ended with ${code}`)
}
