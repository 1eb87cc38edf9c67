import { readConfig } from '../../../server/config/config.ts'
import { start } from '../../../server/main.ts'

/** The real server in a process of its own that reports its heap after a collection and its open sockets to its parent. Run with --expose-gc. */

const server = await start(readConfig(process.env), { dist: process.env.FUZZ_DIST ?? 'dist' })

process.on('message', (asked) => {
  if (asked === 'stop') void server.stop().then(() => process.exit(0))
  if (asked !== 'usage') return
  // What waits for a turn of the loop is let go before it is counted.
  setImmediate(() => {
    for (let round = 0; round < 3; round += 1) globalThis.gc?.()
    const sockets = process.getActiveResourcesInfo().filter((kind) => kind === 'TCPSocketWrap').length
    process.send?.({ heap: process.memoryUsage().heapUsed, sockets })
  })
})
process.send?.({ origin: server.origin })
