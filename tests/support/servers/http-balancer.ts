import { once } from 'node:events'
import {
  request as ask,
  type ClientRequest,
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
} from 'node:http'
import type { Duplex } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'

export type Balancer = {
  /** The URL to which browsers connect, such as http://localhost:40123. */
  origin: string
  /** Sets the addresses of the servers that get new connections. */
  use(targets: string[]): void
  close(): Promise<void>
}

const UNAVAILABLE = 503
/** Time between two health checks of a server that failed; shorter than that of a real balancer. */
const CHECK_MS = 50

/** The result of one attempt: a response, a server that was not reached, or one that broke the connection. */
type Outcome =
  | { kind: 'answer'; answer: IncomingMessage; body: Buffer }
  | { kind: 'upgrade'; answer: IncomingMessage; far: Duplex; head: Buffer }
  | { kind: 'unreached' | 'broken' }

async function bodyOf(message: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = []
  for await (const part of message) parts.push(part)
  return Buffer.concat(parts)
}

function headersOf({ headers, socket }: IncomingMessage): IncomingHttpHeaders {
  return { ...headers, 'x-forwarded-for': headers['x-forwarded-for'] ?? socket.remoteAddress }
}

function attempt(target: string, request: IncomingMessage, body: Buffer | null): Promise<Outcome> {
  return new Promise((resolve) => {
    let connected = false
    const { method, url = '' } = request
    // Without an agent, so that each request has a connection of its own.
    const options = { method, headers: headersOf(request), agent: false as const }
    const far: ClientRequest = ask(new URL(url, target), options)
    far.on('socket', (socket) => socket.once('connect', () => (connected = true)))
    far.once('response', (answer) => {
      bodyOf(answer).then(
        (read) => resolve({ kind: 'answer', answer, body: read }),
        () => resolve({ kind: 'broken' }),
      )
    })
    far.once('upgrade', (answer, socket, head) => resolve({ kind: 'upgrade', answer, far: socket, head }))
    far.on('error', () => resolve({ kind: connected ? 'broken' : 'unreached' }))
    far.end(body ?? undefined)
  })
}

function headOf({ statusCode, statusMessage, rawHeaders }: IncomingMessage): string {
  const lines = rawHeaders.flatMap((name, index) => (index % 2 === 0 ? [`${name}: ${rawHeaders[index + 1]}`] : []))
  return `${[`HTTP/1.1 ${statusCode} ${statusMessage}`, ...lines].join('\r\n')}\r\n\r\n`
}

/**
 * Sends every request and every WebSocket to the next server, whichever client it is from. Retries on another server when one is unreachable
 * or returns 503, and after a broken connection for a GET. Returns the last 503. A server that failed gets no requests until it is ready again.
 */
export async function startHttpBalancer(): Promise<Balancer> {
  let targets: string[] = []
  let turn = 0
  const down = new Set<string>()
  const upgraded = new Set<Duplex>()

  /** Marks the server as down until it is ready; it gets requests only when no other server is left. */
  async function watch(target: string): Promise<void> {
    down.add(target)
    while (targets.includes(target)) {
      const isReady = await fetch(`${target}/readyz`).then(
        ({ ok }) => ok,
        () => false,
      )
      if (isReady) break
      await pause(CHECK_MS)
    }
    down.delete(target)
  }

  async function find(request: IncomingMessage, body: Buffer | null): Promise<Outcome> {
    let outcome: Outcome = { kind: 'unreached' }
    turn = (turn + 1) % targets.length
    const inTurn = [...targets.slice(turn), ...targets.slice(0, turn)]
    for (const target of [...inTurn.filter((one) => !down.has(one)), ...inTurn.filter((one) => down.has(one))]) {
      const next = await attempt(target, request, body)
      const mayAskAgain =
        next.kind === 'unreached' ||
        (next.kind === 'broken' && request.method === 'GET') ||
        (next.kind === 'answer' && next.answer.statusCode === UNAVAILABLE)
      if (next.kind === 'answer' || outcome.kind !== 'answer') outcome = next
      if (!mayAskAgain) return next
      if (!down.has(target)) void watch(target)
    }
    return outcome
  }

  const server = createServer(async (request, response) => {
    const outcome = await find(request, await bodyOf(request))
    if (outcome.kind !== 'answer') {
      response.writeHead(502).end()
      return
    }
    const { answer, body } = outcome
    response.writeHead(answer.statusCode ?? 502, answer.rawHeaders).end(body)
  })

  server.on('upgrade', async (request, near: Duplex, early: Buffer) => {
    near.on('error', () => near.destroy())
    const outcome = await find(request, null)
    if (outcome.kind !== 'upgrade') {
      near.write(outcome.kind === 'answer' ? headOf(outcome.answer) : 'HTTP/1.1 502 Bad Gateway\r\n\r\n')
      near.end(outcome.kind === 'answer' ? outcome.body : undefined)
      return
    }
    const { answer, far, head } = outcome
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      upgraded.add(one)
      one.on('error', () => other.destroy())
      one.on('close', () => {
        upgraded.delete(one)
        other.destroy()
      })
    }
    near.write(headOf(answer))
    near.write(head)
    far.write(early)
    near.pipe(far)
    far.pipe(near)
  })

  // Responses carry the servers' own `Keep-Alive`, which is longer than Node's 5 s: a client would use a connection that is being closed.
  server.keepAliveTimeout = 0
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  return {
    origin: `http://localhost:${typeof address === 'object' && address ? address.port : 0}`,
    use(next) {
      targets = next
    },
    async close() {
      targets = []
      server.close()
      server.closeAllConnections()
      for (const socket of upgraded) socket.destroy()
      await once(server, 'close')
    },
  }
}
