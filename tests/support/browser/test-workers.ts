import { onTestFinished } from 'vitest'
import { createWorkers, type Workers } from '../../../src/platform/io/workers.ts'

type Options = { baseUrl: string; timeoutMs?: number; retryDelayMs?: number; offlineWaitMs?: number }

/** The real workers, the network worker with these settings; `started` lists every worker that was started, in order. */
export function startWorkers(settings: Options): Workers & { started: Record<'network' | 'media', Worker[]> } {
  const started: Record<'network' | 'media', Worker[]> = { network: [], media: [] }
  const options = new URLSearchParams(Object.entries(settings).map(([name, value]) => [name, String(value)]))
  const script = new URL('./configured-network.worker.ts', import.meta.url)
  // The development server recognises a worker's script by this query, which it adds itself only to a URL without a query.
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

/** Makes the worker throw outside of any request, which the page receives as its `error` event. */
export function crash(worker: Worker | undefined): void {
  // The crash is intended: Vitest must not report it.
  worker?.addEventListener('error', (event) => event.preventDefault())
  worker?.postMessage({ argumentList: [{ type: 'HANDLER', name: 'no such handler' }] })
}
