import { readConfig } from '../../../server/config/config.ts'
import { start } from '../../../server/main.ts'

/** Runs the real server in its own process and reports its heap size after a garbage collection and its open sockets to the parent. Needs --expose-gc. */

const server = await start(readConfig(process.env), { dist: process.env.FUZZ_DIST ?? 'dist' })

process.on('message', (asked) => {
  if (asked === 'stop') void server.stop().then(() => process.exit(0))
  if (asked !== 'usage') return
  // Waits for pending callbacks of the event loop before it counts.
  setImmediate(() => {
    for (let round = 0; round < 3; round += 1) globalThis.gc?.()
    const sockets = process.getActiveResourcesInfo().filter((kind) => kind === 'TCPSocketWrap').length
    process.send?.({ heap: process.memoryUsage().heapUsed, sockets })
  })
})
process.send?.({ origin: server.origin })
