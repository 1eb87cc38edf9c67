import { HttpTransportType, HubConnectionBuilder, LogLevel } from '@microsoft/signalr'
import { tokenOf } from './hub-fakes.ts'
import { startProxy } from './hub-proxy.ts'

type Options = { url: string; pairs: number; messages: number; resets: number }

const IN_FLIGHT = 8

/** One who talks: the official client behind a network of its own that breaks now and then. */
async function startTalker(url: string, account: string) {
  const proxy = await startProxy(url)
  const client = new HubConnectionBuilder()
    .withUrl(proxy.url, { accessTokenFactory: () => tokenOf(account), transport: HttpTransportType.WebSockets })
    .withStatefulReconnect()
    .configureLogging(LogLevel.None)
    .build()
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
type Talker = Awaited<ReturnType<typeof startTalker>>

/** `from` sends `count` numbered messages, IN_FLIGHT at a time; `arrived` hears of each. */
async function talk(from: Talker, to: Talker, session: string, count: number, arrived: () => void): Promise<void> {
  const peer = to.client.connectionId
  const answers: Promise<unknown>[] = []
  const send = () => {
    if (answers.length === count) return
    const answer = from.client.invoke('SendChatMessageToPeer', session, peer, String(answers.length))
    answer.catch(() => undefined)
    answers.push(answer)
  }
  const all = new Promise<void>((resolve) => {
    to.client.on('OnChatMessage', (_session: string, text: string) => {
      to.received.push(Number(text))
      arrived()
      send()
      if (new Set(to.received).size === count) resolve()
    })
  })
  for (let started = 0; started < IN_FLIGHT; started += 1) send()
  await Promise.race([all, from.lost, to.lost])
  await Promise.all(answers)
}

async function startPair(url: string, index: number) {
  const [one, other] = [await startTalker(url, `s${index}a`), await startTalker(url, `s${index}b`)]
  for (const { client } of [one, other]) await client.invoke('InitiateMatchingWithPeers', client.connectionId, '[]')
  const [[role, session = '']] = await Promise.all([one.matched, other.matched])
  const caller = role === 'Caller' ? one : other
  await caller.client.invoke('UpdateWebRtcConnectionSuccessStatus', session)
  return { one, other, session }
}
type Pair = Awaited<ReturnType<typeof startPair>>

async function talkPair({ one, other, session }: Pair, options: Options) {
  const { pairs } = options
  const talkers = [one, other]
  try {
    const count = Math.ceil(options.messages / pairs / 2)
    const every = Math.max(1, Math.floor((count * pairs * 2) / (options.resets + 1)))
    let resets = 0
    // Whoever has just received something is connected, so a reset never meets an attempt to connect.
    const breakNow = (talker: Talker) => () => {
      if (talker.received.length % every !== 0 || resets * pairs >= options.resets) return
      resets += 1
      talker.proxy.reset()
    }
    await Promise.all([
      talk(one, other, session, count, breakNow(other)),
      talk(other, one, session, count, breakNow(one)),
    ])
    return talkers.map(({ received }) => ({ received, count, resets }))
  } finally {
    await Promise.all(talkers.map(({ client }) => client.stop()))
    for (const { proxy } of talkers) proxy.stop()
  }
}

/** Pairs chat both ways over connections that are reset again and again; what went wrong on the way is counted. */
export async function soak(options: Options) {
  const started: Pair[] = []
  for (let index = 0; index < options.pairs; index += 1) started.push(await startPair(options.url, index))
  const runs = await Promise.all(started.map((pair) => talkPair(pair, options)))
  const lanes = runs.flat()
  const sum = (of: (lane: (typeof lanes)[number]) => number) => lanes.reduce((total, lane) => total + of(lane), 0)
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
