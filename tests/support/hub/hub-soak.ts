import { tokenOf } from './hub-fakes.ts'
import { startHubProxy } from './hub-proxy.ts'
import { buildOfficialClient } from './official-client.ts'

type Options = { url: string; pairs: number; messages: number; resets: number }

const IN_FLIGHT = 8

/** The official client behind a TCP proxy of its own, which the test resets. */
async function startSide(url: string, account: string) {
  const proxy = await startHubProxy(url)
  const client = buildOfficialClient(proxy.url, () => tokenOf(account), {
    isStateful: true,
    reconnectDelaysMs: null,
  })
  const matched = new Promise<string[]>((resolve) => {
    client.on('OnUserMatched', (...args: string[]) => resolve(args))
  })
  const lost = new Promise<never>((_resolve, reject) => {
    client.onclose((error) => reject(error ?? new Error(`${account} lost the connection`)))
  })
  lost.catch(() => undefined)
  await client.start()
  return { proxy, client, matched, lost, received: [] as number[] }
}
type Side = Awaited<ReturnType<typeof startSide>>

/** `from` sends `count` numbered messages, IN_FLIGHT at a time; calls `received` for each. */
async function chat(from: Side, to: Side, session: string, count: number, received: () => void): Promise<void> {
  const peer = to.client.connectionId
  const completions: Promise<unknown>[] = []
  const send = () => {
    if (completions.length === count) return
    const completion = from.client.invoke('SendChatMessageToPeer', session, peer, String(completions.length))
    completion.catch(() => undefined)
    completions.push(completion)
  }
  const all = new Promise<void>((resolve) => {
    to.client.on('OnChatMessage', (_session: string, text: string) => {
      to.received.push(Number(text))
      received()
      send()
      if (new Set(to.received).size === count) resolve()
    })
  })
  for (let started = 0; started < IN_FLIGHT; started += 1) send()
  await Promise.race([all, from.lost, to.lost])
  await Promise.all(completions)
}

async function startPair(url: string, index: number) {
  const [one, other] = [await startSide(url, `s${index}a`), await startSide(url, `s${index}b`)]
  for (const { client } of [one, other]) await client.invoke('InitiateMatchingWithPeers', client.connectionId, '[]')
  const [[role, session = '']] = await Promise.all([one.matched, other.matched])
  const caller = role === 'Caller' ? one : other
  await caller.client.invoke('UpdateWebRtcConnectionSuccessStatus', session)
  return { one, other, session }
}
type Pair = Awaited<ReturnType<typeof startPair>>

async function chatPair({ one, other, session }: Pair, options: Options) {
  const { pairs } = options
  const sides = [one, other]
  try {
    const count = Math.ceil(options.messages / pairs / 2)
    const every = Math.max(1, Math.floor((count * pairs * 2) / (options.resets + 1)))
    let resets = 0
    // A client that has just received a message is connected, so a reset never hits an attempt to connect.
    const reset = (side: Side) => () => {
      if (side.received.length % every !== 0 || resets * pairs >= options.resets) return
      resets += 1
      side.proxy.cut()
    }
    await Promise.all([chat(one, other, session, count, reset(other)), chat(other, one, session, count, reset(one))])
    return sides.map(({ received }) => ({ received, count, resets }))
  } finally {
    await Promise.all(sides.map(({ client }) => client.stop()))
    await Promise.all(sides.map(({ proxy }) => proxy.close()))
  }
}

/** Pairs chat both ways over connections that are reset again and again. Resolves with the counts of lost, doubled and reordered messages. */
export async function soak(options: Options) {
  const started: Pair[] = []
  for (let index = 0; index < options.pairs; index += 1) started.push(await startPair(options.url, index))
  const runs = await Promise.all(started.map((pair) => chatPair(pair, options)))
  const directions = runs.flat()
  const sum = (of: (direction: (typeof directions)[number]) => number) =>
    directions.reduce((total, direction) => total + of(direction), 0)
  return {
    messages: sum(({ count }) => count),
    resets: sum(({ resets }) => resets) / 2,
    lost: sum(({ received, count }) => count - new Set(received).size),
    doubled: sum(({ received }) => received.length - new Set(received).size),
    reordered: sum(
      ({ received }) => received.filter((number, at) => at > 0 && number < (received[at - 1] ?? 0)).length,
    ),
  }
}
