import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type WebSocket, WebSocketServer } from 'ws'
import { hubWorld, startHub } from '../support/hub-fakes.ts'

/**
 * A process of its own for the relay bench: `hub` is the product's hub, `bare` hands each frame to the partner and, under
 * /answered, tells the sender so.
 */
const ANSWER = '{"type":3,"invocationId":"12345"}'

async function startProduct(): Promise<string> {
  const world = hubWorld({
    now: () => Date.now(),
    after(ms, task) {
      const timer = setTimeout(task, ms)
      return () => clearTimeout(timer)
    },
  })
  const unlimited = { perSecond: 1e9, burst: 1e9 }
  const rates = { chat: unlimited, signalling: unlimited, control: unlimited }
  return (await startHub({ ...world.deps, rates, matchTimeoutMs: 600_000 })).url
}

async function startBare(): Promise<string> {
  const http = createServer()
  const server = new WebSocketServer({ server: http, perMessageDeflate: false })
  const waiting = new Map<string, WebSocket>()
  server.on('connection', (socket, request) => {
    const pair = request.url ?? ''
    const partner = waiting.get(pair)
    if (!partner) {
      waiting.set(pair, socket)
      return
    }
    const answered = pair.startsWith('/answered')
    partner.on('message', (data, binary) => {
      socket.send(data, { binary })
      if (answered) partner.send(ANSWER)
    })
  })
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  const address = http.address()
  return `http://127.0.0.1:${isBound(address) ? address.port : 0}`
}

function isBound(address: AddressInfo | string | null): address is AddressInfo {
  return typeof address === 'object' && address !== null
}

console.log(process.argv[2] === 'hub' ? await startProduct() : await startBare())
