import { benchEvening } from './evening.ts'
import { printPromise, whole } from './print.ts'

const DELAY_MS = 50

const { EVENING_IDLE = '5000', EVENING_TALKING = '500', EVENING_SECONDS = '600' } = process.env

export const eveningBench = {
  /** EVENING_IDLE, EVENING_TALKING and EVENING_SECONDS make it smaller. */
  async evening() {
    const [idle, talking, time] = [EVENING_IDLE, EVENING_TALKING, EVENING_SECONDS].map(Number)
    const { drops, lostMatches, messages, delay, ...rest } = await benchEvening(idle ?? 0, talking ?? 0, time ?? 0)
    const who = `${whole(rest.idle)} idle and ${whole(rest.talking)} talking people on one server for ${whole(rest.seconds)} s`
    printPromise(drops + lostMatches === 0, `${who}: ${drops} connections dropped, ${lostMatches} matches lost`)
    printPromise(
      messages.lost === 0,
      `${whole(messages.sent)} chat messages: ${messages.lost} lost, ${messages.repeated} repeated`,
    )
    const times = Object.entries(delay).map(([name, ms]) => `${name} ${ms.toFixed(1)}`)
    printPromise(delay.p99 <= DELAY_MS, `a chat message to its peer in ms (bar p99 ${DELAY_MS}): ${times.join(', ')}`)
    const loads = Object.entries(rest.load).map(([name, load]) => `${name} ${load.toFixed(3)}`)
    console.log(`measured  processors in use: ${loads.join(', ')}; the server has ${whole(rest.megabytes)} MB`)
    console.log(
      `measured  event loops late by p99: ${rest.lateness.people.toFixed(1)} ms of the people, ${rest.lateness.server.toFixed(1)} ms of the server in its worst 10 s${rest.isPinned ? '; the server has a processor of its own' : ''}`,
    )
  },
}
