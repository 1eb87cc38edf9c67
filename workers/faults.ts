/** Message that makes each later request of a worker compute longer: the fault `worker-task` of docs/profiling.md. */
export const WORKER_TASK = 'fault: worker-task'

const TASK_MS = 200

/** Keeps the thread busy. */
export function spin(ms: number): void {
  const end = performance.now() + ms
  while (performance.now() < end);
}

function plantedWorkerTask(): void {
  spin(TASK_MS)
}

/** Returns the methods of a worker, which compute longer after WORKER_TASK; in a production build, returns `target` itself. */
export function withFaults<T extends object>(target: T): T {
  if (!(import.meta.env.DEV || import.meta.env.MODE === 'profiling')) return target
  let isPlanted = false
  addEventListener('message', ({ data }: MessageEvent<unknown>) => {
    if (data === WORKER_TASK) isPlanted = true
  })
  const methods = Object.entries(target as Record<string, (...args: unknown[]) => Promise<unknown>>)
  const slowed = methods.map(([name, method]) => [
    name,
    (...args: unknown[]) => {
      if (isPlanted) plantedWorkerTask()
      return method(...args)
    },
  ])
  return Object.fromEntries(slowed) as T
}
