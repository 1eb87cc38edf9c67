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
 * A server of a fleet that only sends messages to the others. Each event for a connection is acknowledged by the other server: two
 * messages an event, as for chat. On the line `count` it prints how many messages it has received.
 */

/** Events on their way to each of the others. */
const IN_FLIGHT = 500

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
let received = 0
let sent = 0

function send(to: string): void {
  sent += 1
  fleet.send(to, { t: 'event', id, n: sent, text } satisfies ServerMessage)
}

await fleet.start({
  message(from, message) {
    received += 1
    const { t, n } = message as ServerMessage & { n: number }
    if (t === 'event') fleet.send(from, { t: 'settled', id, n, delivered: true } satisfies ServerMessage)
    else send(from)
  },
  moved: () => undefined,
  displaced: () => undefined,
  joined: () => undefined,
  adoptMatch: () => undefined,
  pairsFound: () => undefined,
  died: () => undefined,
  fenced: () => undefined,
  state: () => ({ homes: [], here: [], matches: [] }),
  requeue: () => undefined,
})
console.log(fleet.self)
createInterface({ input: process.stdin }).on('line', (line) => {
  if (line === 'count') console.log(received)
  else for (let times = 0; times < IN_FLIGHT; times += 1) send(line)
})
