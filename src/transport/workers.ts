import type { MediaWorker } from '#workers/media/contract.ts'
import type { NetworkWorker } from '#workers/network/contract.ts'
import { type Connection, type ConnectOptions, connect, transfer } from '#workers/rpc.ts'

/** A text is coded in microseconds; who waits this long for one waits for a worker that hangs. */
const CODEC_DEADLINE_MS = 10_000
/** A worker that dies this often within ROW_MS rests before it is started again. */
const DEATHS_IN_A_ROW = 3
const ROW_MS = 10_000
const REST_MS = 30_000

/** The two threads. Each starts with the first call for it, and anew with the first call after it died. */
export interface Workers {
  network(): NetworkWorker
  /** Joined with the network worker, so that frames go there without passing this thread. */
  media(): MediaWorker
  /** Ends both; calls in flight reject with `worker-died`. */
  stop(): void
}

type Start = { network: () => Worker; media: () => Worker }

const start: Start = {
  network: () =>
    new Worker(new URL('../../workers/network/network.worker.ts', import.meta.url), {
      type: 'module',
      name: 'network',
    }),
  media: () =>
    new Worker(new URL('../../workers/media/media.worker.ts', import.meta.url), { type: 'module', name: 'media' }),
}

export function createWorkers({ network: startNetwork, media: startMedia }: Start = start): Workers {
  let joined: NetworkWorker | null = null

  const network = lineTo<NetworkWorker>(startNetwork, {
    onDeath() {
      joined = null
      const alive = media.running()
      // Otherwise its uploads would wait for an answer that never comes.
      if (alive) settle(alive.connectNetwork(null))
    },
  })
  const media = lineTo<MediaWorker>(startMedia, {
    onDeath() {
      joined = null
    },
    deadlines: { encodeChat: CODEC_DEADLINE_MS, decodeChat: CODEC_DEADLINE_MS },
  })

  return {
    network: network.remote,
    media() {
      const remote = media.remote()
      const other = network.remote()
      if (joined !== other) {
        joined = other
        const { port1, port2 } = new MessageChannel()
        settle(other.connectMedia(transfer(port1, [port1])))
        settle(remote.connectNetwork(transfer(port2, [port2])))
      }
      return remote
    },
    stop() {
      joined = null
      media.stop()
      network.stop()
    },
  }
}

type Line<T> = { remote(): T; running(): T | undefined; stop(): void }

function lineTo<T extends object>(startWorker: () => Worker, options: ConnectOptions<T>): Line<T> {
  let line: { worker: Worker; connection: Connection<T> } | null = null
  /** When it died, the latest last. */
  let deaths: number[] = []
  let restUntil = 0

  function open(): NonNullable<typeof line> {
    const worker = startWorker()
    const connection = connect<T>(worker, {
      ...options,
      onDeath() {
        worker.terminate()
        deaths = [...deaths, performance.now()].slice(-DEATHS_IN_A_ROW)
        // One that cannot live is not started again at every call; its remote goes on rejecting for a while.
        if (keepsDying(deaths)) restUntil = performance.now() + REST_MS
        else line = null
        options.onDeath?.()
      },
    })
    return { worker, connection }
  }

  return {
    remote() {
      if (restUntil > 0 && performance.now() >= restUntil) {
        restUntil = 0
        line = null
      }
      line ??= open()
      return line.connection.remote
    },
    running: () => line?.connection.remote,
    stop() {
      restUntil = 0
      line?.connection.close()
      line?.worker.terminate()
      line = null
    },
  }
}

function keepsDying(deaths: readonly number[]): boolean {
  const [first = 0] = deaths
  return deaths.length === DEATHS_IN_A_ROW && (deaths.at(-1) ?? 0) - first < ROW_MS
}

/** For a call whose failure is a death that is already known. */
function settle(call: Promise<void>): void {
  call.catch(() => {})
}
