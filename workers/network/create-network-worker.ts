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
  const sendRequest = createHttpClient(options)
  // The client parses each response by the schema of the same endpoint, which the type system cannot infer.
  const send = <N extends EndpointName>(name: N, input: EndpointInput<N>, sending?: SendOptions) =>
    sendRequest(endpoints[name], input, sending) as Promise<EndpointOutput<N>>
  const logs = createLogBatcher({
    // A small batch is still sent when the page is unloaded.
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
    request(name, input, signal) {
      const { login, again }: Endpoint = endpoints[name]
      // The same key for every attempt, also for the one after a refresh of the login session.
      const key = again === 'keyed' ? crypto.randomUUID() : undefined
      const attempt = () => send(name, input, { signal, key })
      return login ? tokens.withLogin(attempt, signal) : attempt()
    },
    async requestConsole(name, input) {
      // Imported here because users' pages do not need it.
      const { consoleEndpoints } = await import('#protocol/console.ts')
      return sendRequest(consoleEndpoints[name], input) as Promise<ConsoleEndpointOutput<typeof name>>
    },
    async exportData() {
      const data = await worker.request('exportData', undefined)
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
      serve({ request: worker.request }, port)
    },
  }
  return worker
}
