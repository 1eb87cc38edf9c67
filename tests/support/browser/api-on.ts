import { createApi } from '../../../src/transport/network.ts'
import type { Script } from '../../browser/workers/scripted-response.ts'
import { startWorkers } from '../../browser/workers/test-workers.ts'
import { openRoom } from './api-room.ts'

type Settings = { timeoutMs?: number; retryDelayMs?: number; offlineWaitMs?: number }

/** The product's API over a real network worker, with a server that responds as scripted. */
export async function apiOn(script: Script, settings: Settings = {}) {
  const room = await openRoom(script)
  const workers = startWorkers({ baseUrl: room.baseUrl, ...settings })
  return { ...room, workers, api: createApi(workers) }
}
