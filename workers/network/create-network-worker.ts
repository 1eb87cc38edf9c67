import type { ConsoleEndpointOutput } from '#protocol/console.ts'
import { VALID } from '#protocol/constants.ts'
import type { Endpoint } from '#protocol/endpoint.ts'
import { AppError } from '#protocol/errors.ts'
import { type EndpointInput, type EndpointName, type EndpointOutput, endpoints } from '#protocol/rest.ts'
import { serve } from '../rpc.ts'
import type { NetworkWorker } from './contract.ts'
import { createHttpClient, type HttpOptions, type SendOptions } from './http-client.ts'
import { createLogBatcher, type LogClock } from './log-batcher.ts'
import { createLogStore } from './log-store.ts'
import { fetchPicture } from './picture.ts'
import { createTokenRefresh } from './token-refresh.ts'
import { parseUserAgent } from './user-agent.ts'

const clock: LogClock = {
  now: () => Date.now(),
  wait: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
  after: (ms, task) => void setTimeout(task, ms),
  every: (ms, task) => void setInterval(task, ms),
}

export function createNetworkWorker(options: HttpOptions): NetworkWorker {
  const sendCall = createHttpClient(options)
  // The client parses each answer by the schema of the same entry of the table, which generics cannot follow.
  const send = <N extends EndpointName>(name: N, input: EndpointInput<N>, sending?: SendOptions) =>
    sendCall(endpoints[name], input, sending) as Promise<EndpointOutput<N>>
  const logs = createLogBatcher({
    // One that is small enough outlives the page that goes.
    send: (entries, key) => send('addLogs', entries, { key, outlivesPage: true }),
    store: createLogStore(),
    clock,
    newId: () => crypto.randomUUID(),
  })
  const tokens = createTokenRefresh(
    async () => {
      const { message } = await send('refreshAccessToken', undefined)
      if (message !== VALID) throw new AppError('login-required', 'The refresh was not valid')
    },
    (message) => logs.add('Error', message),
  )
  let media: MessagePort | null = null

  const worker: NetworkWorker = {
    call(name, input, signal) {
      const { login, again }: Endpoint = endpoints[name]
      // One for the whole call, also where it is sent once more with a fresh login.
      const key = again === 'keyed' ? crypto.randomUUID() : undefined
      const attempt = () => send(name, input, { signal, key })
      return login ? tokens.withLogin(attempt, signal) : attempt()
    },
    async callConsole(name, input) {
      // No user's page needs it.
      const { consoleEndpoints } = await import('#protocol/console.ts')
      return sendCall(consoleEndpoints[name], input) as Promise<ConsoleEndpointOutput<typeof name>>
    },
    async exportData() {
      const data = await worker.call('exportData', undefined)
      return new Blob([JSON.stringify(data, null, 2)], { type: 'application/json' })
    },
    fetchPicture: (url) => fetchPicture(url, options.baseUrl),
    parseUserAgent,
    log: async (level, message) => logs.add(level, message),
    switchLogs: async (levels) => logs.switchOn(levels),
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
