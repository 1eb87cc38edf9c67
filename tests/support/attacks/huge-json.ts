import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { API_BASE, REQUESTED_WITH } from '#protocol/constants.ts'

/** JSON bodies that are cheap to send and expensive to validate. No function leaves a connection open. */

/** The number of empty objects in a log batch of the maximal size in bytes. */
export const EMPTY_ENTRIES_OF_A_BATCH = 174_000

/** Status and body of a response. */
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

/** Like `postTo`, with a path below the API base. */
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

/** Sends a log batch of empty objects, each without its five required fields. `headers` may hold the cookies of a login. */
export function sendHugeLogBatch(
  origin: string,
  entries = EMPTY_ENTRIES_OF_A_BATCH,
  headers?: Record<string, string>,
): Promise<JsonAnswer> {
  return postJson(origin, 'logs/add', repeated('{}', entries), headers)
}

/** Sends several such batches at the same time. */
export function sendHugeLogBatches(
  origin: string,
  batches: number,
  entries?: number,
  headers?: Record<string, string>,
): Promise<JsonAnswer[]> {
  return Promise.all(Array.from({ length: batches }, () => sendHugeLogBatch(origin, entries, headers)))
}

/** Sends arrays that are nested `levels` deep. */
export function sendDeepJson(origin: string, levels: number, headers?: Record<string, string>): Promise<JsonAnswer> {
  const nested = `${'['.repeat(levels)}${']'.repeat(levels)}`
  return postJson(origin, 'user/session/create', `{"UserSessionId":${nested}}`, headers)
}

/** Sends a query or a Cookie header of `parts` meaningless parts. Resolves with the status. */
export async function sendManyParts(origin: string, where: 'query' | 'cookie', parts: number): Promise<number> {
  const all = Array.from({ length: parts }, (_, n) => `${n.toString(36)}=`)
  const query = where === 'query' ? `?${all.join('&')}` : ''
  const headers = { connection: 'close', ...(where === 'cookie' && { cookie: all.join('; ') }) }
  const response = await fetch(new URL(`${API_BASE}/users/online/get${query}`, origin), { headers })
  await response.text()
  return response.status
}

/** Sends an object with `keys` unknown keys. */
export function sendManyKeys(origin: string, keys: number, headers?: Record<string, string>): Promise<JsonAnswer> {
  const entries = Array.from({ length: keys }, (_, n) => `"${n.toString(36)}":0`)
  return postJson(origin, 'user/session/create', `{${entries.join(',')}}`, headers)
}

/** Sends a log level of `characters` characters, which a refusal must not repeat. */
export function sendLongText(
  origin: string,
  characters: number,
  headers?: Record<string, string>,
): Promise<JsonAnswer> {
  const entry = { userSessionId: 's', logMessage: '', logLevel: 'a'.repeat(characters) }
  return postJson(origin, 'logs/add', JSON.stringify([entry]), headers)
}

/** Time after which the connection is closed without the announced body. */
const SILENCE_MS = 5_000

/** Announces a JSON body and never sends it. Resolves with the status, or null without a response in time. */
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

/** Sends a key that changes the prototype of an object to which it is assigned. */
export function sendPrototypeKey(origin: string): Promise<JsonAnswer> {
  return postJson(origin, 'user/session/create', '{"__proto__":{"UserSessionId":"polluted"}}')
}
