import { concurrently } from 'concurrently'
import { describeLink, readDevArguments } from './links/dev-arguments.ts'
import { startImpairedRelay } from './links/impaired-relay.ts'
import { type NetworkName, networks } from './links/links.ts'

/**
 * Runs the server and Vite until one of them ends; with `--link NAME` also a relay behind the network of that name, over which people
 * call who hide their network address.
 */

/** Resolves with whether both ended well. Ctrl+C and a signal end both. */
async function serve(env: Record<string, string>): Promise<boolean> {
  const { result } = concurrently(
    [
      { name: 'server', command: 'node --watch server/main.ts', env },
      { name: 'web', command: 'vite' },
    ],
    { killOthersOn: ['success', 'failure'], prefixColors: 'auto' },
  )
  return result.then(
    () => true,
    () => false,
  )
}

async function serveOver(name: NetworkName): Promise<boolean> {
  // Without a handler, a signal while the relay starts or stops would end this process and leave coturn behind.
  let isEnding = false
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => (isEnding = true))
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
