import ky, { isHTTPError, type Options } from 'ky'
import * as v from 'valibot'
import { API_ATTEMPTS, API_RETRY_DELAY_MS, API_TIMEOUT_MS, REQUESTED_WITH } from '#protocol/constants.ts'
import { AppError } from '#protocol/errors.ts'
import { type Call, type CallInput, type CallName, type CallOutput, calls, type FileInput } from '#protocol/rest.ts'
import { toCallError } from './call-error.ts'

export type HttpOptions = {
  /** Absolute address below which the table's paths are. */
  baseUrl: string
  retryDelayMs?: number
  /** In place of the table's timeouts. */
  timeoutMs?: number
}

export type Send = <N extends CallName>(name: N, input: CallInput<N>) => Promise<CallOutput<N>>

const RETRIED_STATUSES = [408, 429, 500, 502, 503, 504]
/** A server that asks for a longer pause than this is not asked again by the same call. */
const LONGEST_PAUSE_SECONDS = 60

/** Makes calls by the table: one at a time and without login rules. Rejects with an AppError. */
export function createHttpClient({ baseUrl, retryDelayMs = API_RETRY_DELAY_MS, timeoutMs }: HttpOptions): Send {
  const base = `${baseUrl.replace(/\/+$/, '')}/`
  return async (name, input) => {
    const call: Call = calls[name]
    try {
      const response = await ky(new URL(call.path, base), {
        method: call.method,
        credentials: 'include',
        headers: call.method === 'GET' ? {} : { [REQUESTED_WITH.name]: REQUESTED_WITH.value },
        timeout: timeoutMs ?? call.timeoutMs ?? API_TIMEOUT_MS,
        retry: retryOf(call, retryDelayMs),
        fetch: fetchWhole,
        ...payloadOf(call, input),
      })
      return v.parse(call.response, await contentOf(response)) as CallOutput<typeof name>
    } catch (error) {
      throw toCallError(error)
    }
  }
}

/** Sent again only where twice does no harm: reads, deletions, and what the table calls repeatable. */
function retryOf(call: Call, retryDelayMs: number): NonNullable<Options['retry']> {
  if (call.method === 'POST' && !call.repeatable) return 0
  return {
    limit: API_ATTEMPTS - 1,
    methods: ['get', 'post', 'delete'],
    statusCodes: RETRIED_STATUSES,
    retryOnTimeout: true,
    delay: () => retryDelayMs,
    jitter: (delay) => delay * (1 + Math.random() / 5),
    shouldRetry: ({ error }) =>
      isHTTPError(error) && Number(error.response.headers.get('Retry-After')) > LONGEST_PAUSE_SECONDS
        ? false
        : undefined,
  }
}

function payloadOf(call: Call, input: unknown): Options {
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
