import { once } from 'node:events'
import { WebSocket } from 'ws'
import { matchedPair, type RawClient } from '../support/hub/hub-client.ts'
import { type HubProcess, startHubProcess } from './hub-process.ts'
import { median } from './median.ts'

const PAIRS = 50
const SERVED_AT_ONCE = 2
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

/** Pairs who are matched on the hub at `url`. */
export async function hubCourt({ url }: { url: string }): Promise<Court> {
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

type Load = (ms: number) => Promise<number[]>

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/** Runs the pairs in turn at a rate far below the server's limit. Resolves with the milliseconds of all round trips. */
export function steadyLoadOf({ rallies }: Court): Load {
  let times: number[] = []
  const away = new Set<number>()
  const startedAt = rallies.map(() => 0)
  const serve = (index: number) => {
    if (away.has(index)) return
    away.add(index)
    startedAt[index] = performance.now()
    rallies[index]?.serve()
  }
  rallies.forEach((rally, index) => {
    rally.onReturn(() => {
      away.delete(index)
      times.push(performance.now() - (startedAt[index] ?? 0))
    })
  })
  return async (ms) => {
    times = []
    const end = performance.now() + ms
    for (let turn = 0; performance.now() < end; turn += 1) {
      for (let one = 0; one < SERVED_AT_ONCE; one += 1) serve((turn * SERVED_AT_ONCE + one) % rallies.length)
      await wait(1)
    }
    while (away.size > 0) await wait(1)
    return times
  }
}

type Times = { ratio: number; hub: number; bare: number }

async function compare(bare: Load, hub: Load): Promise<Times> {
  const medians: { bare: number; hub: number }[] = []
  // The first round only warms up.
  for (let round = 0; round <= ROUNDS; round += 1) {
    const one = { bare: median(await bare(ROUND_MS)), hub: median(await hub(ROUND_MS)) }
    if (round > 0) medians.push(one)
  }
  const ratio = median(medians.map((one) => one.hub / one.bare))
  return { ratio, hub: median(medians.map((one) => one.hub)), bare: median(medians.map((one) => one.bare)) }
}

/**
 * Median round trip of a chat message and its reply, against a frame that bare `ws` hands on and back, in milliseconds, at
 * about 2,000 round trips a second. The load generator sleeps in between, so that every write of either server wakes it.
 */
export async function benchHubRoundTrip(): Promise<Times> {
  const servers = [await startHubProcess('bare'), await startHubProcess('hub')] as const
  const courts = [await bareCourt(servers[0]), await hubCourt(servers[1])] as const
  try {
    return await compare(steadyLoadOf(courts[0]), steadyLoadOf(courts[1]))
  } finally {
    for (const { close } of courts) close()
    for (const { stop } of servers) stop()
  }
}
