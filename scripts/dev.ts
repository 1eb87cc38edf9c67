import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { describeLink, readDevArguments } from './links/dev-arguments.ts'
import { startImpairedRelay } from './links/impaired-relay.ts'
import { type NetworkName, networks } from './links/links.ts'

/**
 * Runs the server and Vite until one of them ends. With `--link NAME` it also runs a relay behind the network of that
 * name, for the calls of users who choose relay-only.
 */

const endingSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** Resolves when both programs have ended: with true if the one that ended first had no error. A signal such as Ctrl+C ends both. */
async function serve(env: Record<string, string>): Promise<boolean> {
  const programs = [['--watch', 'server/main.ts'], ['node_modules/vite/bin/vite.js']].map((args) =>
    // A pipe that stays open, since Vite ends when its input ends.
    spawn(process.execPath, args, { stdio: ['pipe', 'inherit', 'inherit'], env: { ...process.env, ...env } }),
  )
  const endBoth = () => {
    for (const program of programs) program.kill()
  }
  for (const signal of endingSignals) process.on(signal, endBoth)
  const ends = programs.map((program) => once(program, 'exit'))
  const [status] = await Promise.race(ends)
  endBoth()
  await Promise.all(ends)
  return status === 0
}

async function serveOver(name: NetworkName): Promise<boolean> {
  // Without a handler, a signal while the relay starts or stops would end this process and leave coturn behind.
  let isEnding = false
  for (const signal of endingSignals) process.on(signal, () => (isEnding = true))
  const relay = await startImpairedRelay(networks[name], Math.random, (link) =>
    console.log(`Link ${name}: now ${describeLink(link)}`),
  )
  try {
    console.log(`Link ${name}: ${networks[name].name}. Each person has it in each direction.`)
    console.log('Calls on one machine go directly. So that a call goes over the link, both people switch on')
    console.log('"Hide my network address" on the dashboard (http://localhost:5173).')
    return isEnding || (await serve(relay.env))
  } finally {
    await relay.stop()
  }
}

try {
  const name = readDevArguments(process.argv.slice(2))
  const isGood = await (name === null ? serve({}) : serveOver(name))
  process.exitCode = isGood ? 0 : 1
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
