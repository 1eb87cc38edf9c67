import { onTestFinished } from 'vitest'
import { createWorkers, type Workers } from '../../../src/transport/workers.ts'

type Options = { baseUrl: string; timeoutMs?: number; retryDelayMs?: number; offlineWaitMs?: number }

/** Real workers, the network one with these settings; `started` are those that ran, in order. */
export function startWorkers(settings: Options): Workers & { started: Record<'network' | 'media', Worker[]> } {
  const started: Record<'network' | 'media', Worker[]> = { network: [], media: [] }
  const options = new URLSearchParams(Object.entries(settings).map(([name, value]) => [name, String(value)]))
  const script = new URL('./configured-network.worker.ts', import.meta.url)
  // By this query the development server knows a worker's script, which it does by itself only where nothing is added.
  const address = `${script.origin}${script.pathname}?worker_file&type=module&${options}`

  function kept(kind: 'network' | 'media', worker: Worker): Worker {
    started[kind].push(worker)
    return worker
  }

  const workers = createWorkers({
    network: () => kept('network', new Worker(address, { type: 'module', name: 'network' })),
    media: () =>
      kept(
        'media',
        new Worker(new URL('../../../workers/media/media.worker.ts', import.meta.url), {
          type: 'module',
          name: 'media',
        }),
      ),
  })
  onTestFinished(() => workers.stop())
  return { ...workers, started }
}

/** Makes the worker throw outside of any call, which is how the page learns that it is lost. */
export function crash(worker: Worker | undefined): void {
  // The crash is the test's wish, not a failure to report.
  worker?.addEventListener('error', (event) => event.preventDefault())
  worker?.postMessage({ argumentList: [{ type: 'HANDLER', name: 'no such handler' }] })
}
