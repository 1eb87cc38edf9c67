import { once } from 'node:events'
import { WebSocket } from 'ws'
import { matchedPair, statefulPair } from '../support/hub/hub-client.ts'
import { type HubProcess, startHubProcess } from './hub-process.ts'
import { median } from './median.ts'

const PAIRS = 50
const IN_FLIGHT = 8
const TEXT = 'x'.repeat(120)
/** A stateful receiver acknowledges this many at once. */
const ACK_EVERY = 100
const ROUNDS = 10
const WARM_UP_MS = 100
const MEASURE_MS = 300
const SEPARATOR = 0x1e

/** One direction of a pair: `send` sends one message, `arrived` receives the number of messages in a frame. */
type Lane = { send: () => void; listen: (arrived: (count: number) => void) => void }
type Relay = { lanes: Lane[]; server: HubProcess; sockets: WebSocket[] }

async function bareRelay(folder: 'plain' | 'answered'): Promise<Relay> {
  const server = await startHubProcess('bare')
  const { url } = server
  const sockets: WebSocket[] = []
  const lanes: Lane[] = []
  for (let pair = 0; pair < PAIRS; pair += 1) {
    const open = async () => {
      const socket = new WebSocket(`${url.replace('http', 'ws')}/${folder}/${pair}`)
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

async function hubRelay(kind: 'plain' | 'answered' | 'stateful'): Promise<Relay> {
  const server = await startHubProcess('hub')
  const { url } = server
  const sockets: WebSocket[] = []
  const lanes: Lane[] = []
  const match = kind === 'stateful' ? statefulPair : matchedPair
  const pairs: Awaited<ReturnType<typeof match>>[] = []
  for (let pair = 0; pair < PAIRS; pair += 1) pairs.push(await match(url, `a${pair}`, `b${pair}`))
  for (const { caller, callee, session } of pairs) {
    sockets.push(caller.socket, callee.socket)
    // The Ack of its request for a match is the last message to it that is no chat.
    if (kind === 'stateful') await callee.until(() => callee.messages.some(({ type }) => type === 8))
    // From here on frames are counted, not read.
    caller.socket.removeAllListeners('message').on('message', () => undefined)
    callee.socket.removeAllListeners('message')
    const args = JSON.stringify([session, callee.id, TEXT])
    let id = 0
    let received = callee.tracked.length
    let acknowledged = 0
    const acknowledge = (count: number) => {
      received += count
      if (kind !== 'stateful' || received < acknowledged + ACK_EVERY) return
      acknowledged = received
      callee.socket.send(`{"type":8,"sequenceId":${received}}\u001e`)
    }
    lanes.push({
      send() {
        id += 1
        const invocationId = kind === 'answered' ? `"invocationId":"${id}",` : ''
        caller.socket.send(`{"type":1,${invocationId}"target":"SendChatMessageToPeer","arguments":${args}}\u001e`)
      },
      listen: (arrived) =>
        callee.socket.on('message', (data) => {
          const count = Buffer.isBuffer(data) ? countMessages(data) : 0
          acknowledge(count)
          arrived(count)
        }),
    })
  }
  return { lanes, server, sockets }
}

type Load = { rate: number; p50: number }

/** Keeps IN_FLIGHT messages on each lane. Resolves with the messages a second, and the median round trip to the server in milliseconds. */
function loadOf({ lanes }: Relay): (milliseconds: number) => Promise<Load> {
  let received = 0
  let running = false
  let times: number[] = []
  const idle = lanes.map(() => IN_FLIGHT)
  const sends = lanes.map((lane) => {
    const sentAt: number[] = []
    const send = () => {
      sentAt.push(performance.now())
      lane.send()
    }
    return { send, sentAt }
  })
  sends.forEach(({ send, sentAt }, index) => {
    lanes[index]?.listen((count) => {
      received += count
      const now = performance.now()
      for (const at of sentAt.splice(0, count)) times.push(now - at)
      if (running) for (let sent = 0; sent < count; sent += 1) send()
      else idle[index] = (idle[index] ?? 0) + count
    })
  })
  const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
  return async (ms) => {
    running = true
    sends.forEach(({ send }, index) => {
      for (let left = idle[index] ?? 0; left > 0; left -= 1) send()
      idle[index] = 0
    })
    await wait(WARM_UP_MS)
    times = []
    const [before, start] = [received, performance.now()]
    await wait(ms)
    const rate = ((received - before) * 1000) / (performance.now() - start)
    const p50 = median(times)
    running = false
    for (let attempts = 500; idle.some((count) => count < IN_FLIGHT); attempts -= 1) {
      if (attempts === 0) throw new Error('messages were lost on the way')
      await wait(10)
    }
    return { rate, p50 }
  }
}

type Comparison = { ratio: number; hub: number; bare: number }

function compare(hub: number[], bare: number[]): Comparison {
  const ratio = median(hub.map((rate, round) => rate / (bare[round] ?? rate)))
  return { ratio, hub: median(hub), bare: median(bare) }
}

/**
 * Relayed chat messages a second, against frames that bare `ws` hands on. `answered` is the same where each message is
 * also answered to its sender, by the hub's completion or a bare frame of that size. `stateful` is `plain` over version 2
 * of the protocol. `roundTrip` is the median way to the server and back in milliseconds under the load of `plain`.
 */
export async function benchHubRelay(): Promise<{
  plain: Comparison
  answered: Comparison
  stateful: Comparison
  roundTrip: Comparison
}> {
  const relays = [
    await bareRelay('plain'),
    await hubRelay('plain'),
    await bareRelay('answered'),
    await hubRelay('answered'),
    await hubRelay('stateful'),
  ]
  try {
    const loads = relays.map((relay) => ({ run: loadOf(relay), rates: [] as number[], trips: [] as number[] }))
    // The first round only warms up.
    for (let round = 0; round <= ROUNDS; round += 1)
      for (const { run, rates, trips } of loads) {
        const { rate, p50 } = await run(MEASURE_MS)
        if (round === 0) continue
        rates.push(rate)
        trips.push(p50)
      }
    const [bare = [], hub = [], bareAnswered = [], hubAnswered = [], stateful = []] = loads.map(({ rates }) => rates)
    const [bareTrips = [], hubTrips = []] = loads.map(({ trips }) => trips)
    return {
      plain: compare(hub, bare),
      answered: compare(hubAnswered, bareAnswered),
      stateful: compare(stateful, bare),
      roundTrip: compare(hubTrips, bareTrips),
    }
  } finally {
    for (const { server, sockets } of relays) {
      for (const socket of sockets) socket.terminate()
      server.stop()
    }
  }
}
