import { AppError } from '#protocol/errors.ts'
import { serve } from '#workers/rpc.ts'

export interface FaultyWorker {
  echo(value: unknown): Promise<unknown>
  hang(): Promise<void>
  /** Answers when it is told that nobody waits any more. */
  waitUntil(signal: AbortSignal): Promise<void>
  /** How many of `waitUntil` were told. */
  told(): Promise<number>
  refuse(signal?: AbortSignal): Promise<void>
  breakDown(): Promise<void>
  answerWithFunction(): Promise<unknown>
}

let told = 0

const worker: FaultyWorker = {
  echo: async (value) => value,
  hang: () => new Promise(() => {}),
  waitUntil: (signal) =>
    new Promise((resolve) => {
      signal.addEventListener('abort', () => {
        told += 1
        resolve()
      })
    }),
  told: async () => told,
  refuse: async () => {
    throw new AppError('too-large', 'Too much of it', { field: 'file', status: 413, final: true })
  },
  breakDown: async () => {
    throw new TypeError('something inside')
  },
  answerWithFunction: async () => () => 1,
}

serve(worker)
