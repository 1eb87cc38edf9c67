import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { WebSocket } from 'ws'
import { matchedPair } from '../support/hub-client.ts'

const PAIRS = 50
const IN_FLIGHT = 8
const TEXT = 'x'.repeat(120)
const ROUNDS = 5
const WARM_UP_MS = 400
const MEASURE_MS = 1_200
const SEPARATOR = 0x1e

/** One direction of a pair: `send` puts one message on its way, `arrived` is told how many a frame brought. */
type Lane = { send: () => void; listen: (arrived: (count: number) => void) => void }
type Relay = { lanes: Lane[]; server: ChildProcess; sockets: WebSocket[] }

async function startServer(kind: 'hub' | 'bare'): Promise<{ server: ChildProcess; url: string }> {
  const path = fileURLToPath(new URL('./hub-relay-server.ts', import.meta.url))
  const server = spawn(process.execPath, [path, kind], { stdio: ['ignore', 'pipe', 'inherit'] })
  if (!server.stdout) throw new Error('the server has no output')
  const [url] = await once(createInterface({ input: server.stdout }), 'line')
  return { server, url: String(url) }
}

async function bareRelay(): Promise<Relay> {
  const { server, url } = await startServer('bare')
  const sockets: WebSocket[] = []
  const lanes: Lane[] = []
  for (let pair = 0; pair < PAIRS; pair += 1) {
    const open = async () => {
      const socket = new WebSocket(`${url.replace('http', 'ws')}/${pair}`)
      await once(socket, 'open')
      sockets.push(socket)
      return socket
    }
    const [from, to] = [await open(), await open()]
    lanes.push({ send: () => from.send(TEXT), listen: (arrived) => to.on('message', () => arrived(1)) })
  }
  return { lanes, server, sockets }
}

function countMessages(frame: Buffer): number {
  let count = 0
  for (let at = frame.indexOf(SEPARATOR); at !== -1; at = frame.indexOf(SEPARATOR, at + 1)) count += 1
  return count
}

async function hubRelay(): Promise<Relay> {
  const { server, url } = await startServer('hub')
  const sockets: WebSocket[] = []
  const lanes: Lane[] = []
  for (let pair = 0; pair < PAIRS; pair += 1) {
    const { caller, callee, session } = await matchedPair(url, `a${pair}`, `b${pair}`)
    sockets.push(caller.socket, callee.socket)
    // From here on frames are counted, not read; the sender's completions come in as they do in the product.
    caller.socket.removeAllListeners('message').on('message', () => undefined)
    callee.socket.removeAllListeners('message')
    const args = JSON.stringify([session, callee.id, TEXT])
    let id = 0
    lanes.push({
      send() {
        id += 1
        const head = `{"type":1,"invocationId":"${id}","target":"SendChatMessageToPeer"`
        caller.socket.send(`${head},"arguments":${args}}\u001e`)
      },
      listen: (arrived) =>
        callee.socket.on('message', (data) => arrived(Buffer.isBuffer(data) ? countMessages(data) : 0)),
    })
  }
  return { lanes, server, sockets }
}

/** Keeps IN_FLIGHT messages on each lane and answers how many a second arrive. */
function loadOf({ lanes }: Relay): (milliseconds: number) => Promise<number> {
  let received = 0
  let running = false
  const idle = lanes.map(() => IN_FLIGHT)
  lanes.forEach((lane, index) => {
    lane.listen((count) => {
      received += count
      if (running) for (let sent = 0; sent < count; sent += 1) lane.send()
      else idle[index] = (idle[index] ?? 0) + count
    })
  })
  const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
  return async (ms) => {
    running = true
    lanes.forEach((lane, index) => {
      for (let left = idle[index] ?? 0; left > 0; left -= 1) lane.send()
      idle[index] = 0
    })
    await wait(WARM_UP_MS)
    const [before, start] = [received, performance.now()]
    await wait(ms)
    const rate = ((received - before) * 1000) / (performance.now() - start)
    running = false
    while (idle.some((count) => count < IN_FLIGHT)) await wait(10)
    return rate
  }
}

function median(numbers: number[]): number {
  return [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0
}

/** Relayed chat messages a second, each answered to its sender, against frames that bare `ws` hands on. */
export async function benchHubRelay(): Promise<{ ratio: number; hub: number; bare: number }> {
  const relays = [await bareRelay(), await hubRelay()] as const
  try {
    const [bareLoad, hubLoad] = [loadOf(relays[0]), loadOf(relays[1])]
    const bare: number[] = []
    const hub: number[] = []
    for (let round = 0; round < ROUNDS; round += 1) {
      bare.push(await bareLoad(MEASURE_MS))
      hub.push(await hubLoad(MEASURE_MS))
    }
    const ratio = median(hub.map((rate, round) => rate / (bare[round] ?? rate)))
    return { ratio, hub: median(hub), bare: median(bare) }
  } finally {
    for (const { server, sockets } of relays) {
      for (const socket of sockets) socket.terminate()
      server.kill()
    }
  }
}
