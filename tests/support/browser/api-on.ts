import { createApi } from '../../../src/platform/io/network.ts'
import { openRoom } from './api-room.ts'
import type { Script } from './scripted-response.ts'
import { startWorkers } from './test-workers.ts'

type Settings = { timeoutMs?: number; retryDelayMs?: number; offlineWaitMs?: number }

/** The product's API over a real network worker, with a server that responds as scripted. */
export async function apiOn(script: Script, settings: Settings = {}) {
  const room = await openRoom(script)
  const workers = startWorkers({ baseUrl: room.baseUrl, ...settings })
  return { ...room, workers, api: createApi(workers) }
}
