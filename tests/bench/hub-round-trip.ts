import { once } from 'node:events'
import { WebSocket } from 'ws'
import { matchedPair, type RawClient } from '../support/hub-client.ts'
import { type HubProcess, median, startHubProcess } from './hub-process.ts'

const PAIRS = 20
const ROUNDS = 8
const ROUND_MS = 400
const TEXT = 'x'.repeat(120)

/** One message that two people hand to each other for as long as the round lasts. */
type Rally = { serve(): void; onReturn(returned: () => void): void }
type Court = { rallies: Rally[]; close(): void }

async function bareCourt({ url }: HubProcess): Promise<Court> {
  const sockets: WebSocket[] = []
  const rallies: Rally[] = []
  for (let pair = 0; pair < PAIRS; pair += 1) {
    const open = async () => {
      const socket = new WebSocket(`${url.replace('http', 'ws')}/plain/${pair}`)
      await once(socket, 'open')
      sockets.push(socket)
      return socket
    }
    const [one, other] = [await open(), await open()]
    other.on('message', () => other.send(TEXT))
    rallies.push({
      serve: () => one.send(TEXT),
      onReturn: (returned) => void one.on('message', returned),
    })
  }
  return { rallies, close: () => sockets.forEach((socket) => void socket.terminate()) }
}

async function hubCourt({ url }: HubProcess): Promise<Court> {
  const sockets: WebSocket[] = []
  const rallies: Rally[] = []
  for (let pair = 0; pair < PAIRS; pair += 1) {
    const { caller, callee, session } = await matchedPair(url, `a${pair}`, `b${pair}`)
    sockets.push(caller.socket, callee.socket)
    for (const { socket } of [caller, callee]) socket.removeAllListeners('message')
    const sender = (from: RawClient, to: RawClient) => {
      const args = JSON.stringify([session, to.id, TEXT])
      return () => from.socket.send(`{"type":1,"target":"SendChatMessageToPeer","arguments":${args}}\u001e`)
    }
    callee.socket.on('message', sender(callee, caller))
    rallies.push({
      serve: sender(caller, callee),
      onReturn: (returned) => void caller.socket.on('message', returned),
    })
  }
  return { rallies, close: () => sockets.forEach((socket) => void socket.terminate()) }
}

/** Milliseconds of every round trip in `ms`. */
function roundsOf({ rallies }: Court): (ms: number) => Promise<number[]> {
  let times: number[] = []
  let running = false
  let playing = 0
  let allBack: () => void = () => undefined
  const serve = rallies.map((rally) => {
    let at = 0
    const start = () => {
      at = performance.now()
      rally.serve()
    }
    rally.onReturn(() => {
      times.push(performance.now() - at)
      if (running) start()
      else {
        playing -= 1
        if (playing === 0) allBack()
      }
    })
    return start
  })
  return async (ms) => {
    times = []
    running = true
    playing = rallies.length
    const over = new Promise<void>((resolve) => {
      allBack = resolve
    })
    for (const start of serve) start()
    await new Promise((resolve) => setTimeout(resolve, ms))
    running = false
    await over
    return times
  }
}

/** Median round trip of a chat message and its reply, against a frame that bare `ws` hands on and back, in milliseconds. */
export async function benchHubRoundTrip(): Promise<{ ratio: number; hub: number; bare: number }> {
  const servers = [await startHubProcess('bare'), await startHubProcess('hub')] as const
  const courts = [await bareCourt(servers[0]), await hubCourt(servers[1])]
  try {
    const sides = courts.map((court) => ({ run: roundsOf(court), medians: [] as number[] }))
    // The first round only warms up.
    for (let round = 0; round <= ROUNDS; round += 1)
      for (const { run, medians } of sides) {
        const times = await run(ROUND_MS)
        if (round > 0) medians.push(median(times))
      }
    const [bare = [], hub = []] = sides.map(({ medians }) => medians)
    const ratio = median(hub.map((time, round) => time / (bare[round] ?? time)))
    return { ratio, hub: median(hub), bare: median(bare) }
  } finally {
    for (const { close } of courts) close()
    for (const { stop } of servers) stop()
  }
}
