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
import { createConnectivity } from './connectivity.ts'
import { toRequestError } from './request-error.ts'
import { type Failed, pauseAfter } from './retry-pause.ts'

export type HttpOptions = {
  /** Absolute URL that the endpoints' paths are relative to. */
  baseUrl: string
  retryDelayMs?: number
  /** Replaces the endpoints' timeouts. */
  timeoutMs?: number
  /** Replaces the browser's `fetch`. */
  fetch?: typeof fetch | undefined
  /** Longest total wait of a request while the browser is offline. */
  offlineWaitMs?: number
}

export type SendOptions = {
  signal?: AbortSignal | undefined
  /** Idempotency key: the server recognises a repeated request by it. */
  key?: string | undefined
  /** Keeps a small request alive when the page is unloaded. */
  outlivesPage?: boolean
}

/** Sends one request. The caller ensures that the types of `input` and result are those of the endpoint's schemas. */
export type Send = (endpoint: Endpoint, input: unknown, options?: SendOptions) => Promise<unknown>

/**
 * Most characters of a body with `keepalive`. Browsers limit a page's keepalive bodies to 64 KiB in total; a character
 * has at most three bytes.
 */
const KEEPALIVE_MAX = 16_000

/**
 * Sends requests to endpoints, with timeout and retries but without a refresh of the login session. Rejects with an
 * AppError, `aborted` after `signal`.
 */
export function createHttpClient(options: HttpOptions): Send {
  const { baseUrl, retryDelayMs = API_RETRY_DELAY_MS, timeoutMs, offlineWaitMs } = options
  const fetchWhole = createWholeFetch(options.fetch ?? ((input, init) => fetch(input, init)))
  const connectivity = createConnectivity(navigator, offlineWaitMs)
  return async (endpoint, input, { signal, key, outlivesPage = false } = {}) => {
    const untilOnline = connectivity.createWait(signal)
    try {
      await untilOnline()
      const response = await ky(endpoint.path, {
        prefix: baseUrl,
        method: endpoint.method,
        credentials: 'include',
        headers: headersOf(endpoint, key),
        timeout: timeoutMs ?? endpoint.timeoutMs ?? API_TIMEOUT_MS,
        retry: retryOf(endpoint, retryDelayMs),
        hooks: { beforeRetry: [untilOnline] },
        fetch: fetchWhole,
        ...(signal ? { signal } : {}),
        keepalive: outlivesPage && JSON.stringify(input).length <= KEEPALIVE_MAX,
        ...payloadOf(endpoint, input),
      })
      return parse(endpoint.response, await contentOf(response))
    } catch (error) {
      throw signal?.aborted ? new AppError('aborted') : toRequestError(error)
    }
  }
}

function headersOf(endpoint: Endpoint, key: string | undefined): Record<string, string> {
  if (endpoint.method === 'GET' && !endpoint.byScript) return {}
  const marked = { [REQUESTED_WITH.name]: REQUESTED_WITH.value }
  return key === undefined ? marked : { ...marked, [IDEMPOTENCY_KEY]: key }
}

/** Retries only what is safe to repeat: GET, DELETE, and a POST whose endpoint allows it. */
function retryOf(endpoint: Endpoint, delayMs: number): NonNullable<Options['retry']> {
  if (endpoint.method === 'POST' && !endpoint.again) return 0
  let pause = 0
  return {
    limit: API_ATTEMPTS - 1,
    methods: ['get', 'post', 'delete'],
    // Overrides ky's own rules, which also read rate-limit headers and shorten the pause of Retry-After.
    shouldRetry({ error }) {
      const failed = failureOf(error)
      const next = failed === undefined ? null : pauseAfter(failed, { delayMs, now: Date.now(), random: Math.random })
      pause = next ?? 0
      return next !== null
    },
    delay: () => pause,
  }
}

/** Returns undefined for an error that comes neither from the network nor from the server. */
function failureOf(error: Error): Failed | undefined {
  if (isTimeoutError(error) || isNetworkError(error)) return null
  if (!isHTTPError(error)) return undefined
  const { status, headers } = error.response
  return { status, retryAfter: headers.get('Retry-After') }
}

function payloadOf(endpoint: Endpoint, input: unknown): Options {
  if (endpoint.query) return { searchParams: input as Record<string, string> }
  if (endpoint.json) return { json: input }
  if (endpoint.form)
    return { body: formOf(endpoint.form.file.name, input as Record<string, string | FileInput | undefined>) }
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

/** Fetches response and body, so that timeout and retries also cover a body that breaks off. */
function createWholeFetch(send: typeof fetch): typeof fetch {
  return async (request, init) => {
    const response = await send(request, init)
    if (response.body === null) return response
    try {
      return new Response(await response.blob(), response)
    } catch (error) {
      // The message differs by browser; ky recognises this one as a network error.
      throw error instanceof TypeError ? new TypeError('network error', { cause: error }) : error
    }
  }
}

async function contentOf(response: Response): Promise<unknown> {
  const text = await response.text()
  if (!response.headers.get('content-type')?.includes('json')) return text
  try {
    return JSON.parse(text)
  } catch {
    throw new AppError('invalid-response', 'The response is not valid JSON')
  }
}
