import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createHubClient } from '../../../../src/call/hub/hub-client.ts'
import type { HubClient } from '../../../../src/call/ports.ts'
import { fakeClock } from '../../../support/fake-clock.ts'
import { type Invocation, startFakeHub } from '../../../support/fakes/fake-hub.ts'
import { startTcpProxy, type TcpProxy } from '../../../support/servers/tcp-proxy.ts'
import { waitFor } from '../../../support/wait-for.ts'

const UNAVAILABLE = { code: 'hub-unavailable' }
const SILENT_METHOD = 'UpdateWebRtcConnectionSuccessStatus'
let token: () => Promise<string>
const login = { userSessionId: 's1', token: () => token() }

let hub: Awaited<ReturnType<typeof startFakeHub>>
let proxy: TcpProxy
let clock: ReturnType<typeof fakeClock>
let client: HubClient
let states: string[]
/** Number of connections that ended. By then, the next step is decided. */
let ends: number
let wake: () => void
let wakeable: boolean

async function connect(options: { stateful: boolean }): Promise<void> {
  const complete = ({ target }: Invocation) => (target === SILENT_METHOD ? undefined : null)
  hub = await startFakeHub(complete, options)
  proxy = await startTcpProxy(hub.port)
  clock = fakeClock()
  token = async () => 'the token'
  states = []
  ends = 0
  wake = () => {}
  client = createHubClient({
    sites: { order: () => [`http://127.0.0.1:${proxy.port}`], failed: () => {} },
    log: {
      info(message) {
        if (message.startsWith('The hub connection ended')) ends += 1
      },
      error: () => {},
    },
    clock,
    onWake(listener) {
      wake = listener
      wakeable = true
      return () => {
        wakeable = false
      }
    },
  })
  client.onState((state, reason) => void states.push(reason === null ? state : `${state}: ${reason}`))
  const connected = new Promise<string>((resolve) => client.on('OnUserConnected', resolve))
  await client.start(login)
  expect(await connected).toBe('c1')
}

afterEach(async () => {
  await client.stop()
  await proxy.close()
  await hub.close()
})

/** Lets the client make the attempts that are due until it has this state. */
async function reach(state: string): Promise<void> {
  await waitFor(() => {
    clock.advance(0)
    expect(states.at(-1)).toBe(state)
  })
}

const visitOf = (url: string) => new URL(url, 'http://hub').searchParams.get('visit')

describe('a hub that can re-attach', () => {
  beforeEach(() => connect({ stateful: true }))

  test('is connected to in protocol version 2', () => {
    expect(hub.connections[0]?.version).toBe(2)
  })

  test('keeps the connection when the socket breaks, and nothing is lost or doubled', async () => {
    const received: string[] = []
    client.on('OnChatMessage', (_matchId, text) => received.push(text))
    const chat = (text: string) => ({ type: 1, target: 'OnChatMessage', arguments: ['s', text] })
    hub.connections[0]?.send(chat('a'))
    await waitFor(() => expect(received).toEqual(['a']))
    await client.invoke('HandleIceCandidate', 's', 'p', 'one')

    const during = new Promise<void>((resolve) => {
      client.onState((state) => {
        if (state === 'reconnecting') resolve(client.invoke('HandleIceCandidate', 's', 'p', 'two'))
      })
    })
    proxy.cut()
    await waitFor(() => expect(hub.reattached()).toBe(1))
    hub.connections.at(-1)?.send(chat('b'))

    await during
    await waitFor(() => expect(received).toEqual(['a', 'b']))
    expect(client.connectionId()).toBe('c1')
    expect(hub.invocations.map(({ arguments: args }) => args[2])).toEqual(['one', 'two'])
    expect(states).toEqual(['connecting', 'connected', 'reconnecting', 'connected'])
  })

  test('needs one token to connect', async () => {
    await client.stop()
    let given = 0
    token = async () => `token ${++given}`
    await client.start(login)
    expect(given).toBe(1)
  })

  test('needs a fresh token for each re-attachment', async () => {
    await client.invoke('HandleIceCandidate', 's', 'p', 'one')
    let given = 0
    token = async () => `token ${++given}`
    for (const times of [1, 2]) {
      proxy.cut()
      await waitFor(() => expect(hub.reattached()).toBe(times))
      await reach('connected')
      await client.invoke('HandleIceCandidate', 's', 'p', 'more')
      expect(given).toBe(times)
    }
  })

  test('but refuses leads to a new connection of the same visit', async () => {
    const accept = hub.refuse()
    proxy.cut()
    await waitFor(() => expect(ends).toBe(1))
    accept()
    await reach('connected')
    await waitFor(() => expect(hub.connections).toHaveLength(2))
    expect(client.connectionId()).toBe('c2')
    expect(states).toEqual(['connecting', 'connected', 'reconnecting', 'connected'])
    const [first, second] = hub.connections.map(({ url }) => visitOf(url))
    expect(first).toMatch(/^[\w-]{36}$/)
    expect(second).toBe(first)
  })

  test('but cannot be reached is replaced by a new connection when the attempt has taken too long', async () => {
    const release = proxy.swallow()
    proxy.cut()
    await waitFor(() => expect(states.at(-1)).toBe('reconnecting'))
    clock.advance(14_999)
    expect(states.at(-1)).toBe('reconnecting')
    clock.advance(1)
    expect(ends).toBe(1)
    release()
    await reach('connected')
    expect(client.connectionId()).toBe('c2')
    expect(states).toEqual(['connecting', 'connected', 'reconnecting', 'connected'])
  })

  test('is not re-attached to with a token that comes after the stop', async () => {
    const late = Promise.withResolvers<string>()
    token = () => late.promise
    proxy.cut()
    await waitFor(() => expect(states.at(-1)).toBe('reconnecting'))
    await client.stop()
    token = async () => 'the token'
    late.resolve('late')
    await client.start(login)
    expect(client.connectionId()).toBe('c2')
    expect(hub.reattached()).toBe(0)
  })

  test('is not waited for at the first attempt either when nothing comes back', async () => {
    await client.stop()
    const release = proxy.swallow()
    const attempt = expect(client.start(login)).rejects.toMatchObject(UNAVAILABLE)
    await waitFor(() => {
      clock.advance(15_000)
      expect(states.at(-1)).toBe('disconnected: hub-unavailable')
    })
    await attempt
    release()
  })

  test('is stopped at once while it cannot be reached', async () => {
    const release = proxy.swallow()
    proxy.cut()
    await waitFor(() => expect(states.at(-1)).toBe('reconnecting'))
    await client.stop()
    expect(states.at(-1)).toBe('disconnected')
    expect(clock.waiting()).toBe(0)
    release()
  })
})

test('a hub that sends a message now and then is left alone', async () => {
  await connect({ stateful: true })
  const received: string[] = []
  client.on('SessionTerminated', (matchId) => received.push(matchId))
  for (const matchId of ['s1', 's2', 's3']) {
    clock.advance(29_999)
    hub.connections[0]?.send({ type: 1, target: 'SessionTerminated', arguments: [matchId] })
    await waitFor(() => expect(received.at(-1)).toBe(matchId))
  }
  expect(states).toEqual(['connecting', 'connected'])
})

describe.each([true, false])('a hub that goes silent (stateful: %s)', (stateful) => {
  beforeEach(() => connect({ stateful }))

  test('is replaced', async () => {
    proxy.freeze()
    clock.advance(29_999)
    expect(states.at(-1)).toBe('connected')
    clock.advance(1)
    await reach('connected')
    expect(states).toEqual(['connecting', 'connected', 'reconnecting', 'connected'])
    expect(client.connectionId()).toBe('c2')
  })

  test('leaves no message in doubt for ever', async () => {
    await client.invoke('SendChatMessageToPeer', 's', 'p', 'aGk=', 'm1')
    proxy.freeze()
    const lost = expect(client.invoke('SendChatMessageToPeer', 's', 'p', 'aGk=', 'm2')).rejects.toMatchObject(
      UNAVAILABLE,
    )
    clock.advance(30_000)
    await lost
    await reach('connected')
    expect(client.connectionId()).toBe('c2')
  })

  test('is replaced sooner when the page wakes up, while a healthy connection is left alone', async () => {
    clock.advance(19_999)
    wake()
    expect(states.at(-1)).toBe('connected')
    proxy.freeze()
    clock.advance(1)
    wake()
    await reach('connected')
    expect(client.connectionId()).toBe('c2')
  })

  test('is replaced when it does not complete an invocation, although it still sends messages', async () => {
    const uncompleted = expect(client.invoke(SILENT_METHOD, 's')).rejects.toMatchObject(UNAVAILABLE)
    const received: string[] = []
    client.on('SessionTerminated', (matchId) => received.push(matchId))
    clock.advance(14_999)
    hub.connections[0]?.send({ type: 1, target: 'SessionTerminated', arguments: ['s0'] })
    await waitFor(() => expect(received).toEqual(['s0']))
    clock.advance(1)
    await uncompleted
    await reach('connected')
    expect(client.connectionId()).toBe('c2')
    // A Close of the old connection would end the match that the new one is in.
    expect(hub.closes).toEqual([])
  })

  test('does not delay a stop', async () => {
    proxy.freeze()
    await client.stop()
    expect(states.at(-1)).toBe('disconnected')
  })

  test('receives a Close when the client stops', async () => {
    await client.stop()
    await waitFor(() => expect(hub.closes).toEqual(['c1']))
  })
})

describe('a hub that is away', () => {
  beforeEach(() => connect({ stateful: true }))

  test('is tried after 0, 2, 10 and 30 seconds, then given up', async () => {
    hub.refuse()
    proxy.cut()
    for (const [index, delay] of [0, 2_000, 10_000, 30_000].entries()) {
      await waitFor(() => expect(ends).toBe(index + 1))
      clock.advance(Math.max(0, delay - 1))
      expect(hub.negotiated).toHaveLength(index + 1)
      clock.advance(1)
      await waitFor(() => expect(hub.negotiated).toHaveLength(index + 2))
    }
    await waitFor(() => expect(states.at(-1)).toBe('gave-up: hub-unavailable'))
    expect(clock.waiting()).toBe(0)
  })

  test('is tried at once when the network is back, also after it was given up', async () => {
    const accept = hub.refuse()
    proxy.cut()
    await waitFor(() => {
      clock.advance(30_000)
      expect(states.at(-1)).toBe('gave-up: hub-unavailable')
    })
    await expect(client.invoke(SILENT_METHOD, 's')).rejects.toMatchObject(UNAVAILABLE)
    const before = ends
    wake()
    expect(states.at(-1)).toBe('reconnecting')
    await waitFor(() => expect(ends).toBe(before + 1))
    accept()
    wake()
    await waitFor(() => expect(states.at(-1)).toBe('connected'))
  })

  test('and was given up is started again by start', async () => {
    const accept = hub.refuse()
    proxy.cut()
    await waitFor(() => {
      clock.advance(30_000)
      expect(states.at(-1)).toBe('gave-up: hub-unavailable')
    })
    accept()
    await client.start(login)
    expect(states.slice(-2)).toEqual(['reconnecting', 'connected'])
  })

  test('and was stopped is not tried again by a page that wakes up', async () => {
    await client.stop()
    expect(wakeable).toBe(false)
    wake()
    expect(states.at(-1)).toBe('disconnected')
    expect(hub.negotiated).toHaveLength(1)
  })
})
