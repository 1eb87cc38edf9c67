import ky from 'ky'
import { API_TIMEOUT_MS, PICTURE_LIMIT, VALID } from '#protocol/constants.ts'
import type { Endpoint } from '#protocol/endpoint.ts'
import { AppError } from '#protocol/errors.ts'
import { type EndpointInput, type EndpointName, type EndpointOutput, endpoints } from '#protocol/rest.ts'
import type { Send, SendOptions } from './http-client.ts'
import { createLogBatcher, type LogClock } from './log-batcher.ts'
import { createLogStore } from './log-store.ts'
import { toRequestError } from './request-error.ts'
import { createTokenRefresh } from './token-refresh.ts'
import { parseUserAgent } from './user-agent.ts'

const clock: LogClock = {
  now: () => Date.now(),
  wait: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
  after: (ms, task) => void setTimeout(task, ms),
  every: (ms, task) => void setInterval(task, ms),
}

export type LaterParts = ReturnType<typeof createLaterParts>

/** The parts that the request of the start does not need: the table of all endpoints, the refresh of the login, logs, pictures. */
export function createLaterParts(sendRequest: Send, baseUrl: string) {
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

  return {
    logs,
    async request<N extends EndpointName>(name: N, input: EndpointInput<N>, signal?: AbortSignal) {
      const { login, again }: Endpoint = endpoints[name]
      if (name === 'setTokens') await tokens.settled()
      // All attempts have the same key, also the attempt after a refresh of the login session.
      const key = again === 'keyed' ? crypto.randomUUID() : undefined
      const attempt = () => send(name, input, { signal, key })
      return login ? tokens.withLogin(attempt, signal) : attempt()
    },
    fetchPicture: (url: string) => fetchPicture(url, baseUrl),
    parseUserAgent,
  }
}

/** Fetches a picture without cookies. Rejects with `wrong-type`, `too-large` or a transport code. */
async function fetchPicture(url: string, origin: string): Promise<Blob> {
  try {
    const address = new URL(url, origin)
    if (!/^https?:$/.test(address.protocol)) throw new AppError('wrong-type', 'A picture is fetched by http only')
    const response = await ky(address, { credentials: 'omit', retry: 0, timeout: API_TIMEOUT_MS })
    const type = response.headers.get('content-type') ?? ''
    if (!type.startsWith('image/')) throw new AppError('wrong-type', `A picture was expected, not '${type}'`)
    return new Blob(await readUpTo(PICTURE_LIMIT, response), { type })
  } catch (error) {
    throw toRequestError(error)
  }
}

async function readUpTo(limit: number, response: Response): Promise<Uint8Array<ArrayBuffer>[]> {
  const reader = response.body?.getReader()
  const chunks: Uint8Array<ArrayBuffer>[] = []
  const overdue = AbortSignal.timeout(API_TIMEOUT_MS)
  overdue.addEventListener('abort', () => void reader?.cancel())
  let bytes = 0
  for (;;) {
    const chunk = await reader?.read().catch(() => {
      throw new AppError('network-error', 'The picture broke off')
    })
    if (overdue.aborted) throw new AppError('timeout')
    if (!chunk || chunk.done) return chunks
    bytes += chunk.value.length
    if (bytes > limit) {
      void reader?.cancel()
      throw new AppError('too-large', `A picture has at most ${limit} bytes`)
    }
    chunks.push(chunk.value)
  }
}
