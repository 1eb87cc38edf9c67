import { randomUUID } from 'node:crypto'
import { createInterface } from 'node:readline'
import { pino } from 'pino'
import { RedisFleet } from '../../server/fleet/redis-fleet.ts'
import type { ServerMessage } from '../../server/fleet/server-messages.ts'
import { event } from '../../server/hub/messages.ts'
import { redisClient } from '../../server/platform/redis/redis-client.ts'
import { hubWorld, queueOptionsOf } from '../support/hub/hub-fakes.ts'
import { realClock } from './bench-hub.ts'

/**
 * A server of a fleet that does nothing but write to the others. What one writes for a connection of the other, the other acknowledges: two
 * letters for each event that crosses, as for chat. `count` on its standard input is answered with the letters that have come.
 */

/** Under way to each of the others. */
const UNDER_WAY = 500

const [url = '', pool = ''] = process.argv.slice(2)
const log = pino({ level: 'fatal' })
const client = redisClient(url, log)
await client.connect()
const { deps } = hubWorld(realClock)
const { matchRecords } = deps
const queue = queueOptionsOf(deps)
const fleet = new RedisFleet({ client, pool, matchRecords, queue, clock: realClock, newId: randomUUID, log })
const [id, session, message] = [randomUUID(), randomUUID(), randomUUID()]
const text = event('OnChatMessage', [session, 'How is the weather where you are?', message])
let came = 0
let written = 0

function write(to: string): void {
  written += 1
  fleet.send(to, { t: 'event', id, n: written, text } satisfies ServerMessage)
}

await fleet.start({
  message(from, message) {
    came += 1
    const { t, n } = message as ServerMessage & { n: number }
    if (t === 'event') fleet.send(from, { t: 'settled', id, n, delivered: true } satisfies ServerMessage)
    else write(from)
  },
  moved: () => undefined,
  adoptMatch: () => undefined,
  pairsFound: () => undefined,
  died: () => undefined,
  fenced: () => undefined,
  state: () => ({ homes: [], here: [], matches: [] }),
  requeue: () => undefined,
})
console.log(fleet.self)
createInterface({ input: process.stdin }).on('line', (line) => {
  if (line === 'count') console.log(came)
  else for (let times = 0; times < UNDER_WAY; times += 1) write(line)
})
