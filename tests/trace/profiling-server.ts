import { resolve } from 'node:path'
import { readConfig } from '../../server/config/config.ts'
import { start } from '../../server/main.ts'
import { profilingProduct } from './product.ts'

/** Serves the profiling build of `npm run trace`. */
const server = await start(readConfig(process.env), { dist: resolve(profilingProduct.dist) })
process.once('SIGTERM', () => void server.stop().then(() => process.exit(0)))
process.stdout.write(`Waggle is at ${server.origin}\n`)
