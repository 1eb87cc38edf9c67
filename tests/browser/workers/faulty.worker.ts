import { AppError } from '#protocol/errors.ts'
import { serve } from '#workers/rpc.ts'

export interface FaultyWorker {
  echo(value: unknown): Promise<unknown>
  hang(): Promise<void>
  refuse(): Promise<void>
  breakDown(): Promise<void>
  answerWithFunction(): Promise<unknown>
}

const worker: FaultyWorker = {
  echo: async (value) => value,
  hang: () => new Promise(() => {}),
  refuse: async () => {
    throw new AppError('too-large', 'Too much of it', { field: 'file', status: 413, final: true })
  },
  breakDown: async () => {
    throw new TypeError('something inside')
  },
  answerWithFunction: async () => () => 1,
}

serve(worker)
