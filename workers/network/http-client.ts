import ky, { isHTTPError, isNetworkError, isTimeoutError, type Options } from 'ky'
import {
  API_ATTEMPTS,
  API_RETRY_DELAY_MS,
  API_TIMEOUT_MS,
  IDEMPOTENCY_KEY,
  REQUESTED_WITH,
} from '#protocol/constants.ts'
import type { Endpoint, FileInput } from '#protocol/endpoint.ts'
import { AppError } from '#protocol/errors.ts'
import { parse } from '#protocol/parse.ts'
import { toCallError } from './call-error.ts'
import { createConnectivity } from './connectivity.ts'
import { type Failed, pauseAfter } from './retry-pause.ts'

export type HttpOptions = {
  /** Absolute address below which the table's paths are. */
  baseUrl: string
  retryDelayMs?: number
  /** In place of the table's timeouts. */
  timeoutMs?: number
  /** How long a call waits for a network that is away. */
  offlineWaitMs?: number
}

export type SendOptions = {
  signal?: AbortSignal | undefined
  /** By which the server knows the call again, however often it is sent. */
  key?: string | undefined
  /** The browser goes on with it when the page is gone, if it is small. */
  outlivesPage?: boolean
}

/** Sends one call of a table; what its entry in there says of input and answer is the caller's to keep. */
export type Send = (call: Endpoint, input: unknown, options?: SendOptions) => Promise<unknown>

/** Browsers refuse to keep more than 64 KiB alive, over all requests of a page; three bytes a character at most. */
const KEEPALIVE_MAX = 16_000

/** Makes calls as a table describes them: one at a time and without login rules. Rejects with an AppError; `aborted` is the caller's wish. */
export function createHttpClient(options: HttpOptions): Send {
  const { baseUrl, retryDelayMs = API_RETRY_DELAY_MS, timeoutMs, offlineWaitMs } = options
  const base = `${baseUrl.replace(/\/+$/, '')}/`
  const connectivity = createConnectivity(navigator, offlineWaitMs)
  return async (call, input, { signal, key, outlivesPage = false } = {}) => {
    const online = connectivity.patience(signal)
    try {
      await online()
      const response = await ky(new URL(call.path, base), {
        method: call.method,
        credentials: 'include',
        headers: headersOf(call, key),
        timeout: timeoutMs ?? call.timeoutMs ?? API_TIMEOUT_MS,
        retry: retryOf(call, retryDelayMs),
        hooks: { beforeRetry: [online] },
        fetch: fetchWhole,
        ...(signal ? { signal } : {}),
        keepalive: outlivesPage && JSON.stringify(input).length <= KEEPALIVE_MAX,
        ...payloadOf(call, input),
      })
      return parse(call.response, await contentOf(response))
    } catch (error) {
      throw signal?.aborted ? new AppError('aborted') : toCallError(error)
    }
  }
}

function headersOf(call: Endpoint, key: string | undefined): Record<string, string> {
  if (call.method === 'GET') return {}
  const marked = { [REQUESTED_WITH.name]: REQUESTED_WITH.value }
  return key === undefined ? marked : { ...marked, [IDEMPOTENCY_KEY]: key }
}

/** Sent again only where twice does no harm: reads, deletions, and what the table says of a POST. */
function retryOf(call: Endpoint, delayMs: number): NonNullable<Options['retry']> {
  if (call.method === 'POST' && !call.again) return 0
  let pause = 0
  return {
    limit: API_ATTEMPTS - 1,
    methods: ['get', 'post', 'delete'],
    // Both answers are given here: ky's own rules would also read rate-limit headers, and cut short what Retry-After asks for.
    shouldRetry({ error }) {
      const failed = failureOf(error)
      const next = failed === undefined ? null : pauseAfter(failed, { delayMs, now: Date.now(), random: Math.random })
      pause = next ?? 0
      return next !== null
    },
    delay: () => pause,
  }
}

/** Undefined for what is neither the network's nor the server's doing. */
function failureOf(error: Error): Failed | undefined {
  if (isTimeoutError(error) || isNetworkError(error)) return null
  if (!isHTTPError(error)) return undefined
  const { status, headers } = error.response
  return { status, retryAfter: headers.get('Retry-After') }
}

function payloadOf(call: Endpoint, input: unknown): Options {
  if (call.query) return { searchParams: input as Record<string, string> }
  if (call.json) return { json: input }
  if (call.form) return { body: formOf(call.form.file.name, input as Record<string, string | FileInput | undefined>) }
  return {}
}

function formOf(fileField: string, input: Record<string, string | FileInput | undefined>): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries(input)) {
    if (typeof value === 'string') form.append(name, value)
    else if (value?.blob instanceof Blob) form.append(fileField, value.blob, value.fileName)
  }
  return form
}

/** Fetches with the body, so that the timeout and the retries cover an answer that stops half-way. */
async function fetchWhole(request: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  const response = await fetch(request, init)
  if (response.body === null) return response
  try {
    return new Response(await response.blob(), response)
  } catch (error) {
    // Browsers name this failure differently; this is the name that ky takes for a network error.
    throw error instanceof TypeError ? new TypeError('network error', { cause: error }) : error
  }
}

async function contentOf(response: Response): Promise<unknown> {
  const text = await response.text()
  if (!response.headers.get('content-type')?.includes('json')) return text
  try {
    return JSON.parse(text)
  } catch {
    throw new AppError('invalid-response', 'The answer is not the JSON it claims to be')
  }
}
