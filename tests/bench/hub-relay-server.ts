import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createInterface } from 'node:readline'
import { type WebSocket, WebSocketServer } from 'ws'
import { startBenchHub } from './bench-hub.ts'

/**
 * The server process of the hub's benches: `hub` runs the product's hub, `bare` forwards each frame to the partner and, under
 * /answered, sends a completion to the sender.
 */
const COMPLETION = '{"type":3,"invocationId":"12345"}'

async function startBare(): Promise<string> {
  const http = createServer()
  const server = new WebSocketServer({ server: http, perMessageDeflate: false })
  const waiting = new Map<string, WebSocket>()
  server.on('connection', (socket, request) => {
    const pair = request.url ?? ''
    socket.on('error', () => undefined)
    const partner = waiting.get(pair)
    if (!partner) {
      waiting.set(pair, socket)
      return
    }
    waiting.delete(pair)
    const answered = pair.startsWith('/answered')
    for (const [one, other] of [
      [partner, socket],
      [socket, partner],
    ] as const)
      one.on('message', (data, binary) => {
        other.send(data, { binary })
        if (answered) one.send(COMPLETION)
      })
  })
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  const address = http.address()
  return `http://127.0.0.1:${isBound(address) ? address.port : 0}`
}

function isBound(address: AddressInfo | string | null): address is AddressInfo {
  return typeof address === 'object' && address !== null
}

function memory(): number {
  for (let times = 0; times < 3; times += 1) globalThis.gc?.()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

console.log(process.argv[2] === 'hub' ? await startBenchHub() : await startBare())
createInterface({ input: process.stdin }).on('line', () => console.log(memory()))
