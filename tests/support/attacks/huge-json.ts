import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { API_BASE, REQUESTED_WITH } from '#protocol/constants.ts'

/** JSON bodies that cost little to send and much to check. Each function ends by itself and leaves no connection open. */

/** The number of empty objects that fill a log batch up to its limit of bytes. */
export const EMPTY_ENTRIES_OF_A_BATCH = 174_000

/** What the server answered: its status and the text of its body. */
export type JsonAnswer = { status: number; text: string }

/** Posts `body` to a path of the server, without a login. */
export async function postTo(
  origin: string,
  path: string,
  body: string,
  headers: Record<string, string> = {},
): Promise<JsonAnswer> {
  const response = await fetch(new URL(path, origin), {
    method: 'POST',
    headers: {
      origin,
      [REQUESTED_WITH.name]: REQUESTED_WITH.value,
      'content-type': 'application/json',
      connection: 'close',
      ...headers,
    },
    body,
  })
  return { status: response.status, text: await response.text() }
}

/** The same to a path below the API base. */
export function postJson(
  origin: string,
  path: string,
  body: string,
  headers?: Record<string, string>,
): Promise<JsonAnswer> {
  return postTo(origin, `${API_BASE}/${path}`, body, headers)
}

function repeated(item: string, count: number): string {
  return `[${Array.from({ length: count }, () => item).join(',')}]`
}

/** One log batch of so many empty objects: five fields are missing in each. `headers` may hold the cookies of a login. */
export function sendHugeLogBatch(
  origin: string,
  entries = EMPTY_ENTRIES_OF_A_BATCH,
  headers?: Record<string, string>,
): Promise<JsonAnswer> {
  return postJson(origin, 'logs/add', repeated('{}', entries), headers)
}

/** Several such batches at the same time. */
export function sendHugeLogBatches(
  origin: string,
  batches: number,
  entries?: number,
  headers?: Record<string, string>,
): Promise<JsonAnswer[]> {
  return Promise.all(Array.from({ length: batches }, () => sendHugeLogBatch(origin, entries, headers)))
}

/** Arrays in arrays, so many levels deep. */
export function sendDeepJson(origin: string, levels: number, headers?: Record<string, string>): Promise<JsonAnswer> {
  const nested = `${'['.repeat(levels)}${']'.repeat(levels)}`
  return postJson(origin, 'user/session/create', `{"UserSessionId":${nested}}`, headers)
}

/** A query, or a Cookie header, of so many parts without a meaning. */
export async function sendManyParts(origin: string, where: 'query' | 'cookie', parts: number): Promise<number> {
  const all = Array.from({ length: parts }, (_, n) => `${n.toString(36)}=`)
  const query = where === 'query' ? `?${all.join('&')}` : ''
  const headers = { connection: 'close', ...(where === 'cookie' && { cookie: all.join('; ') }) }
  const response = await fetch(new URL(`${API_BASE}/users/online/get${query}`, origin), { headers })
  await response.text()
  return response.status
}

/** One object with so many keys that no schema knows. */
export function sendManyKeys(origin: string, keys: number, headers?: Record<string, string>): Promise<JsonAnswer> {
  const entries = Array.from({ length: keys }, (_, n) => `"${n.toString(36)}":0`)
  return postJson(origin, 'user/session/create', `{${entries.join(',')}}`, headers)
}

/** One text of so many characters in place of one of a few words: a refusal that quotes it is as long as it. */
export function sendLongText(
  origin: string,
  characters: number,
  headers?: Record<string, string>,
): Promise<JsonAnswer> {
  const entry = { userSessionId: 's', logMessage: '', logLevel: 'a'.repeat(characters) }
  return postJson(origin, 'logs/add', JSON.stringify([entry]), headers)
}

/** How long an announced body is kept back. */
const SILENCE_MS = 5_000

/** Announces a JSON body and never sends it. Resolves with the status, null where none came in time. */
export async function announceBody(origin: string, path: string): Promise<number | null> {
  const { hostname, port } = new URL(origin)
  const socket = connect(Number(port), hostname)
  const timer = setTimeout(() => socket.end(), SILENCE_MS)
  const head = [
    `POST ${API_BASE}/${path} HTTP/1.1`,
    `Host: ${hostname}:${port}`,
    `Origin: ${origin}`,
    `${REQUESTED_WITH.name}: ${REQUESTED_WITH.value}`,
    'Content-Type: application/json',
    'Content-Length: 1000',
    'Connection: close',
  ]
  socket.write(`${head.join('\r\n')}\r\n\r\n`)
  socket.once('data', () => socket.end())
  try {
    const [, status] = /^HTTP\/1\.1 (\d+)/.exec(await text(socket)) ?? []
    return status === undefined ? null : Number(status)
  } finally {
    clearTimeout(timer)
    socket.destroy()
  }
}

/** A key that would change the prototype of an object that is filled from it. */
export function sendPrototypeKey(origin: string): Promise<JsonAnswer> {
  return postJson(origin, 'user/session/create', '{"__proto__":{"UserSessionId":"polluted"}}')
}
