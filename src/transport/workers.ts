import type { MediaWorker } from '#workers/media/contract.ts'
import type { NetworkWorker } from '#workers/network/contract.ts'
import { type Connection, connect, transfer } from '#workers/rpc.ts'

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

  const network = lineTo<NetworkWorker>(startNetwork, () => {
    joined = null
    const alive = media.running()
    // Otherwise its uploads would wait for an answer that never comes.
    if (alive) settle(alive.connectNetwork(null))
  })
  const media = lineTo<MediaWorker>(startMedia, () => {
    joined = null
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

function lineTo<T extends object>(startWorker: () => Worker, onDeath: () => void): Line<T> {
  let line: { worker: Worker; connection: Connection<T> } | null = null

  function open(): NonNullable<typeof line> {
    const worker = startWorker()
    const connection = connect<T>(worker, () => {
      worker.terminate()
      line = null
      onDeath()
    })
    return { worker, connection }
  }

  return {
    remote() {
      line ??= open()
      return line.connection.remote
    },
    running: () => line?.connection.remote,
    stop() {
      line?.connection.close()
      line?.worker.terminate()
      line = null
    },
  }
}

/** For a call whose failure is a death that is already known. */
function settle(call: Promise<void>): void {
  call.catch(() => {})
}
