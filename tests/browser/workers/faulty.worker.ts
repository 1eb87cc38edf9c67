import { AppError } from '#protocol/errors.ts'
import { serve } from '#workers/rpc.ts'

export interface FaultyWorker {
  echo(value: unknown): Promise<unknown>
  /** Computes for so many milliseconds without a wait. */
  compute(ms: number): Promise<void>
  hang(): Promise<void>
  /** Resolves when `signal` is aborted. */
  waitUntil(signal: AbortSignal): Promise<void>
  /** Returns how many requests of `waitUntil` were aborted. */
  aborted(): Promise<number>
  refuse(signal?: AbortSignal): Promise<void>
  breakDown(): Promise<void>
  returnFunction(): Promise<unknown>
}

let aborted = 0

const worker: FaultyWorker = {
  echo: async (value) => value,
  compute: async (ms) => {
    const end = performance.now() + ms
    while (performance.now() < end);
  },
  hang: () => new Promise(() => {}),
  waitUntil: (signal) =>
    new Promise((resolve) => {
      signal.addEventListener('abort', () => {
        aborted += 1
        resolve()
      })
    }),
  aborted: async () => aborted,
  refuse: async () => {
    throw new AppError('too-large', 'Too much of it', { field: 'file', status: 413, final: true })
  },
  breakDown: async () => {
    throw new TypeError('something inside')
  },
  returnFunction: async () => () => 1,
}

serve(worker)
