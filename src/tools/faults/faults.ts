import type { App } from '../../app/create-app.ts'
import { lateChunk, lostMessage, slowProvider, stuckQueue, workerTask } from './messages.ts'
import { blockedUdp, leakedListener, leakedTrack, slowRelay } from './peers.ts'
import { layoutThrash, pageTask, renderStorm } from './thread.tsx'

/** Plants the fault and returns a function that removes it. */
type Plant = (app: Pick<App, 'pages'>) => () => void

/** The faults of `?fault=NAME`; docs/profiling.md describes each fault. */
export const faults: Readonly<Record<string, Plant>> = {
  'worker-task': workerTask,
  'page-task': pageTask,
  'lost-message': lostMessage,
  'late-chunk': lateChunk,
  'leaked-track': leakedTrack,
  'leaked-listener': leakedListener,
  'slow-relay': slowRelay,
  'blocked-udp': blockedUdp,
  'render-storm': renderStorm,
  'layout-thrash': layoutThrash,
  'stuck-queue': stuckQueue,
  'slow-provider': slowProvider,
}

/** Plants a fault for the rest of the visit, named on `<html data-fault>`. Throws for an unknown name. */
export function plantFault(name: string, app: Pick<App, 'pages'>): () => void {
  const plant = Object.hasOwn(faults, name) ? faults[name] : undefined
  if (!plant) throw new Error(`No fault ${name}; there are ${Object.keys(faults).join(', ')}`)
  const remove = plant(app)
  document.documentElement.dataset.fault = name
  return () => {
    delete document.documentElement.dataset.fault
    remove()
  }
}
