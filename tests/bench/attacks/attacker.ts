import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { attacks, bareFlood } from './attack-list.ts'

/** One attack in a process of its own: prepares it, prints `ready`, waits for a line, attacks, and prints the responses. */

const [name = '', origin = ''] = process.argv.slice(2)
const attack = name === 'bare-flood' ? bareFlood : attacks[name]
if (!attack) throw new Error(`There is no attack ${name}`)
const run = await attack.prepare(origin)
const input = createInterface({ input: process.stdin })
console.log('ready')
await once(input, 'line')
const failed = (error: unknown) => ({ [`the attack itself: ${error instanceof Error ? error.message : error}`]: 1 })
console.log(JSON.stringify(await run().catch(failed)))
process.exit(0)
