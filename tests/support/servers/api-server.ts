import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import type { Script, ScriptedResponse, SeenRequest } from '../browser/scripted-response.ts'

type Room = { script: Script; seen: SeenRequest[]; counts: Map<string, number>; held: (() => void)[] }

/**
 * A real HTTP server with scripted responses. Every test has its own room, the first part of the path: `PUT /room/` sets its
 * script, `GET /room/` lists its requests, `POST /room/` sends the responses that are held back, and any path below gets a response
 * of the script.
 */
export async function startApiServer(): Promise<{ url: string; close(): Promise<void> }> {
  const rooms = new Map<string, Room>()
  const server = createServer((request, response) => void handle(rooms, request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The test server has no port')
  return {
    // The page under test is on localhost too, so both are the same site and cookies are sent.
    url: `http://localhost:${address.port}`,
    async close() {
      const closed = new Promise((resolve) => server.close(resolve))
      server.closeAllConnections()
      await closed
    },
  }
}

async function handle(rooms: Map<string, Room>, request: IncomingMessage, response: ServerResponse): Promise<void> {
  allowOrigin(request, response)
  if (request.method === 'OPTIONS') {
    response.writeHead(204).end()
    return
  }
  const body = await buffer(request)
  const url = new URL(request.url ?? '/', 'http://localhost')
  const [, name = '', ...rest] = url.pathname.split('/')
  const path = rest.join('/')
  if (path === '' && request.method === 'PUT') {
    rooms.set(name, { script: JSON.parse(body.toString()) as Script, seen: [], counts: new Map(), held: [] })
    response.writeHead(204).end()
    return
  }
  const room = rooms.get(name)
  if (!room) {
    response.writeHead(404).end()
    return
  }
  if (path === '') {
    if (request.method === 'POST') for (const release of room.held.splice(0)) release()
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(room.seen))
    return
  }
  const seen: SeenRequest = {
    method: request.method ?? '',
    path,
    query: url.search,
    headers: Object.fromEntries(Object.entries(request.headers).map(([key, value]) => [key, String(value)])),
    body: body.toString('base64'),
    gaveUp: false,
  }
  room.seen.push(seen)
  const scripted = nextResponse(room, path, url.search)
  response.on('close', () => {
    seen.gaveUp = !response.writableFinished && (scripted.fault ?? 'never') === 'never'
  })
  if (scripted.held) room.held.push(() => send(scripted, response))
  else send(scripted, response)
}

function allowOrigin(request: IncomingMessage, response: ServerResponse): void {
  response.setHeader('Access-Control-Allow-Origin', request.headers.origin ?? '*')
  response.setHeader('Access-Control-Allow-Credentials', 'true')
  response.setHeader('Access-Control-Allow-Headers', 'content-type, idempotency-key, x-requested-with')
  response.setHeader('Access-Control-Allow-Methods', 'GET, POST, PUT, DELETE')
  response.setHeader('Access-Control-Expose-Headers', 'Retry-After')
  // Chromium retries a request by itself when a reused connection breaks, but not on a new one.
  response.setHeader('Connection', 'close')
}

function nextResponse({ script, counts }: Room, path: string, query: string): ScriptedResponse {
  const responses = script[path] ?? [{ status: 404 }]
  const address = path + query
  const count = counts.get(address) ?? 0
  counts.set(address, count + 1)
  return responses[Math.min(count, responses.length - 1)] ?? { status: 404 }
}

function send({ status = 200, headers, json, text, bytes, fault }: ScriptedResponse, response: ServerResponse): void {
  if (fault === 'never') return
  if (fault === 'at-once') {
    response.destroy()
    return
  }
  if (fault === 'no-http') {
    response.socket?.end('SSH-2.0-OpenSSH\r\n')
    return
  }
  const body = bytes === undefined ? (text ?? JSON.stringify(json ?? null)) : Buffer.alloc(bytes)
  const type = json === undefined ? 'text/plain' : 'application/json'
  response.writeHead(status, { 'content-type': type, 'content-length': Buffer.byteLength(body), ...headers })
  if (fault === 'half-way') {
    response.write(typeof body === 'string' ? body.slice(0, 1) : body.subarray(0, 1), () => response.destroy())
    return
  }
  response.end(body)
}
