import { AppError } from '#protocol/errors.ts'
import { calls, VALID } from '#protocol/rest.ts'
import { serve } from '../rpc.ts'
import type { NetworkWorker } from './contract.ts'
import { createHttpClient, type HttpOptions } from './http-client.ts'
import { createLogBatcher, type LogClock, type LogSwitches } from './log-batcher.ts'
import { fetchPicture } from './picture.ts'
import { createTokenRefresh } from './token-refresh.ts'
import { parseUserAgent } from './user-agent.ts'

const clock: LogClock = {
  now: () => Date.now(),
  wait: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
  every: (ms, task) => void setInterval(task, ms),
}

export function createNetworkWorker(options: HttpOptions & { logs?: LogSwitches }): NetworkWorker {
  const send = createHttpClient(options)
  const logs = createLogBatcher((entries) => send('addLogs', entries), clock, options.logs)
  const tokens = createTokenRefresh(
    async () => {
      const { message } = await send('refreshAccessToken', undefined)
      if (message !== VALID) throw new AppError('login-required', 'The refresh was not valid')
    },
    (message) => logs.add('Error', message),
  )
  let media: MessagePort | null = null

  const worker: NetworkWorker = {
    call: (name, input) => (calls[name].login ? tokens.withLogin(() => send(name, input)) : send(name, input)),
    fetchPicture: (url) => fetchPicture(url, options.baseUrl),
    parseUserAgent,
    log: async (level, message) => logs.add(level, message),
    identify: async (context) => logs.identify(context),
    flushLogs: () => logs.flush(),
    async connectMedia(port) {
      media?.close()
      media = port
      serve({ call: worker.call }, port)
    },
  }
  return worker
}
