import { createApi } from '../../../src/platform/io/network.ts'
import { createWorkers } from '../../../src/platform/io/workers.ts'

/** A page that only sends requests to its workers. */

const workers = createWorkers()
const api = createApi(workers)
const codec = workers.media()
const LINE = 'Nice to meet you! Where are you from? 👋'

const calls = {
  api: () => api.request('readOnlineUsers', undefined),
  chat: async () => codec.decodeChat(await codec.encodeChat(LINE)),
  nothing: () => new Promise((resolve) => setTimeout(resolve)),
}

/** Sends `count` requests, one after the other. */
async function repeat(kind: keyof typeof calls, times: number): Promise<void> {
  for (let time = 0; time < times; time += 1) await calls[kind]()
}

/** Returns the milliseconds from starting a worker to its first response. */
async function startUp(kind: 'network' | 'media'): Promise<number> {
  const fresh = createWorkers()
  const start = performance.now()
  if (kind === 'network') await fresh.network().flushLogs()
  else await fresh.media().encodeChat('')
  const took = performance.now() - start
  fresh.stop()
  return took
}

Object.assign(globalThis, { repeat, startUp })
