import { benchHeal } from './heal.ts'
import { printPromise, whole } from './print.ts'
import { benchReconnects } from './reconnects.ts'
import { benchServerMessages } from './server-messages.ts'
import { benchStatements, STATEMENTS_OF_A_MATCH, WRITES_OF_A_MATCH } from './statements.ts'

/** Users on the server that is killed; a quarter more are on the others. */
const crowds = [200, 1_000, 2_000]

/** Measurements of what many servers share, and of the loss of a server. */
export const manyMachines = {
  async heal() {
    for (const people of crowds) {
      const heal = await benchHeal(people, people / 4)
      const { placed, talking, busy } = heal
      const times = ({ p50, p99, max }: typeof placed) => `p50 ${whole(p50)}, p99 ${whole(p99)}, last ${whole(max)} ms`
      const processors = Object.entries(busy).map(([name, part]) => `${name} ${part.toFixed(2)}`)
      printPromise(
        placed.max < 10_000 && heal.lost + heal.inTwo === 0,
        `a server of three killed under ${whole(heal.victims)} of ${whole(heal.people)} users: queued or resumed after ${times(placed)}; ${heal.lost} of ${whole(heal.messages)} messages lost, ${heal.inTwo} users in two matches`,
      )
      console.log(
        `measured  all talk again after ${times(talking)}; ${heal.repeated} messages arrived again under their id, ${heal.crossed} users received a match before the end of another; set up in ${whole(heal.setUpMs)} ms; processors of 2 in that time: ${processors.join(', ')}`,
      )
    }
  },

  async 'server-messages'() {
    for (const count of [2, 4]) {
      const { servers, perSecond, redis, server } = await benchServerMessages(count)
      const full = whole(1e6 / redis)
      console.log(
        `measured  ${whole(perSecond)} messages a second between ${servers} servers through one Redis, two messages an event: ${redis.toFixed(1)} µs of Redis a message (${full} a second of its whole core), ${server.toFixed(1)} µs of the servers`,
      )
    }
  },

  async statements() {
    console.log(
      `measured  below, a match alone is ${STATEMENTS_OF_A_MATCH} statements, ${WRITES_OF_A_MATCH} of them writes`,
    )
    for (const { what, perSecond, database, server } of await benchStatements())
      console.log(
        `measured  ${whole(perSecond)} a second with one PostgreSQL: ${what}; ${database.toFixed(3)} ms of its processors for one, ${server.toFixed(3)} of the server's`,
      )
  },

  async reconnects() {
    const { people, perSecond, server, database } = await benchReconnects()
    console.log(
      `measured  ${whole(perSecond)} people a second come again to one server, ${whole(people)} at once; ${server.toFixed(2)} ms of the server for one, ${database.toFixed(2)} of PostgreSQL`,
    )
  },
}
