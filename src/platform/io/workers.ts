import type { MediaWorker } from '#workers/media/contract.ts'
import type { NetworkWorker } from '#workers/network/contract.ts'
import { type ConnectOptions, connect, transfer, type WorkerConnection } from '#workers/rpc.ts'
import { takeEarlyWorker } from './early-worker.ts'

/** Time after which a worker that encodes or decodes a text counts as hanging. Encoding takes microseconds. */
const CODEC_DEADLINE_MS = 10_000
/** After this number of deaths within DEATHS_WITHIN_MS a worker is not restarted for RESTART_PAUSE_MS. */
const DEATHS_MAX = 3
const DEATHS_WITHIN_MS = 10_000
const RESTART_PAUSE_MS = 30_000

/** The two workers. Each starts with the first request to it, and again with the first request after it has died. */
export interface Workers {
  network(): NetworkWorker
  /** It is connected to the network worker by a port, so that frames do not pass through this thread. */
  media(): MediaWorker
  /** Terminates the two workers; requests in flight reject with `worker-died`. */
  stop(): void
}

type Start = { network: () => Worker; media: () => Worker }

const start: Start = {
  network: () =>
    takeEarlyWorker() ??
    new Worker(new URL('../../../workers/network/network.worker.ts', import.meta.url), {
      type: 'module',
      name: 'network',
    }),
  media: () =>
    new Worker(new URL('../../../workers/media/media.worker.ts', import.meta.url), { type: 'module', name: 'media' }),
}

export function createWorkers({ network: startNetwork, media: startMedia }: Start = start): Workers {
  let joinedWith: NetworkWorker | null = null

  const network = superviseWorker<NetworkWorker>(startNetwork, {
    onDeath() {
      joinedWith = null
      const alive = media.running()
      // Without this, uploads of the media worker would never settle.
      if (alive) ignoreFailure(alive.connectNetwork(null))
    },
  })
  const media = superviseWorker<MediaWorker>(startMedia, {
    onDeath() {
      joinedWith = null
    },
    deadlines: { encodeChat: CODEC_DEADLINE_MS, decodeChat: CODEC_DEADLINE_MS },
  })

  return {
    network: network.remote,
    media() {
      const remote = media.remote()
      const other = network.remote()
      if (joinedWith !== other) {
        joinedWith = other
        const { port1, port2 } = new MessageChannel()
        ignoreFailure(other.connectMedia(transfer(port1, [port1])))
        ignoreFailure(remote.connectNetwork(transfer(port2, [port2])))
      }
      return remote
    },
    stop() {
      joinedWith = null
      media.stop()
      network.stop()
    },
  }
}

type Supervisor<T> = { remote(): T; running(): T | undefined; stop(): void }

/** Starts a worker when it is needed, and again after it has died. */
export function superviseWorker<T extends object>(
  startWorker: () => Worker,
  options: ConnectOptions<T> = {},
): Supervisor<T> {
  let current: { worker: Worker; connection: WorkerConnection<T> } | null = null
  /** Times of `performance.now()` of the last deaths, oldest first. */
  let deaths: number[] = []
  let pausedUntil = 0

  function open(): NonNullable<typeof current> {
    const worker = startWorker()
    const connection = connect<T>(worker, {
      ...options,
      onDeath() {
        worker.terminate()
        deaths = [...deaths, performance.now()].slice(-DEATHS_MAX)
        // A worker that keeps dying is not restarted at every request. Its dead remote rejects the requests until the pause is over.
        if (keepsDying(deaths)) pausedUntil = performance.now() + RESTART_PAUSE_MS
        else current = null
        options.onDeath?.()
      },
    })
    return { worker, connection }
  }

  return {
    remote() {
      if (pausedUntil > 0 && performance.now() >= pausedUntil) {
        pausedUntil = 0
        current = null
      }
      current ??= open()
      return current.connection.remote
    },
    running: () => current?.connection.remote,
    stop() {
      pausedUntil = 0
      current?.connection.close()
      current?.worker.terminate()
      current = null
    },
  }
}

function keepsDying(deaths: readonly number[]): boolean {
  const [first = 0] = deaths
  return deaths.length === DEATHS_MAX && (deaths.at(-1) ?? 0) - first < DEATHS_WITHIN_MS
}

/** Only for requests that fail only if the worker dies: `onDeath` handles that. */
function ignoreFailure(request: Promise<void>): void {
  request.catch(() => {})
}
