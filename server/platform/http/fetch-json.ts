import { AppError } from '#protocol/errors.ts'

/** Largest response, far above the size of a response about one person. */
const ANSWER_BYTES = 64 * 1024

type Answered = { ok: boolean; body: unknown }

async function readText(response: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength
    if (size > ANSWER_BYTES) throw new Error(`an answer of more than ${ANSWER_BYTES} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

/** Replaces the parser's error, whose message quotes the input. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new Error('no JSON')
  }
}

/**
 * Fetches JSON from another service, head and body within `timeoutMs`. `ok` is false for a status of 4xx. Rejects with
 * `provider-unavailable` if no response arrives in time, and for a response that is no JSON or too large, a redirect, and a status of 5xx.
 */
export async function fetchJson(url: URL, timeoutMs: number, headers: Record<string, string> = {}): Promise<Answered> {
  try {
    const response = await fetch(url, {
      headers: { accept: 'application/json', ...headers },
      signal: AbortSignal.timeout(timeoutMs),
      redirect: 'error',
    })
    if (response.status >= 500 || response.status === 429) throw new Error(`status ${response.status}`)
    return { ok: response.ok, body: parse(await readText(response)) }
  } catch (error) {
    throw new AppError('provider-unavailable', 'The service that was asked does not answer', {
      reason: error instanceof Error ? error.message : String(error),
    })
  }
}
