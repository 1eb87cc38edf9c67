import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { startTracing } from '#workers/trace.ts'
import { createHubClient } from '../../../../src/call/hub/hub-client.ts'
import type { HubClient } from '../../../../src/call/ports.ts'
import { browserClock } from '../../../../src/platform/io/browser-clock.ts'
import { startFakeHub } from '../../../support/fakes/fake-hub.ts'
import { drawnStamps } from '../../../support/stamps.ts'
import { waitFor } from '../../../support/wait-for.ts'

const refusals: Record<string, string> = {
  OnMatchedSessionTerminationRequested: 'not-in-match: this match is not yours',
  HandleReportedUser: 'Something broke on the server',
}

let hub: Awaited<ReturnType<typeof startFakeHub>>
let client: HubClient
let states: string[]
let logged: string[]

beforeEach(async () => {
  hub = await startFakeHub(({ target }) => refusals[target] ?? null)
  states = []
  logged = []
  client = connectTo(hub.base)
})
afterEach(async () => {
  await client.stop()
  await hub.close()
})

function connectTo(base: string): HubClient {
  const made = createHubClient({
    sites: { order: () => [base], failed: () => {} },
    log: { info: () => {}, error: (message) => void logged.push(message) },
    clock: browserClock,
    onWake: () => () => {},
    reconnectDelays: [0, 0],
  })
  made.onState((state, reason) => void states.push(reason === null ? state : `${state}: ${reason}`))
  return made
}

function login(token = async () => 'the token') {
  return { userSessionId: 's1', token }
}

function newest() {
  const last = hub.connections.at(-1)
  if (!last) throw new Error('No client is connected')
  return last
}
const event = (target: string, ...args: unknown[]) => ({ type: 1, target, arguments: args })

describe('connecting', () => {
  test('sends the visit’s id, no e-mail address, and the token', async () => {
    await client.start(login())
    const query = new URL(newest().url, 'http://hub').searchParams
    expect(query.get('userSessionId')).toBe('s1')
    expect([...query.keys()].sort()).toEqual(['id', 'userSessionId', 'visit'])
    expect(hub.negotiated).toEqual(['Bearer the token'])
    expect(client.connectionId()).toBe('c1')
    expect(states).toEqual(['connecting', 'connected'])
  })

  test('delivers an event that comes with the handshake', async () => {
    const connected: string[] = []
    client.on('OnUserConnected', (id) => connected.push(id))
    await client.start(login())
    expect(connected).toEqual(['c1'])
  })

  test('twice at once is one connection, and so is connecting while connected', async () => {
    await Promise.all([client.start(login()), client.start(login())])
    await client.start(login())
    expect(hub.negotiated).toHaveLength(1)
    expect(states).toEqual(['connecting', 'connected'])
  })

  test('fails as unavailable where the hub refuses, and may be tried again', async () => {
    const accept = hub.refuse()
    await expect(client.start(login())).rejects.toMatchObject({ code: 'hub-unavailable' })
    expect(states).toEqual(['connecting', 'disconnected: hub-unavailable'])
    expect(client.connectionId()).toBe('')
    accept()
    await client.start(login())
    expect(states.at(-1)).toBe('connected')
  })

  test('fails as unavailable without a token', async () => {
    const refused = () => Promise.reject(new Error('no token'))
    await expect(client.start(login(refused))).rejects.toMatchObject({ code: 'hub-unavailable' })
  })
})

describe('stopping', () => {
  test('is safe before, after and twice', async () => {
    await client.stop()
    await client.start(login())
    await Promise.all([client.stop(), client.stop()])
    await client.stop()
    expect(states).toEqual(['connecting', 'connected', 'disconnected'])
    expect(client.connectionId()).toBe('')
  })

  test('during a connection attempt ends it at once, and a new one may begin', async () => {
    const release = hub.hold()
    const attempt = client.start(login())
    const failed = expect(attempt).rejects.toMatchObject({ code: 'hub-unavailable' })
    await waitFor(() => expect(hub.negotiated).toHaveLength(1))
    await client.stop()
    await failed
    const next = client.start(login())
    release()
    await next
    await waitFor(() => expect(hub.connections).toHaveLength(1))
    expect(states).toEqual(['connecting', 'disconnected', 'connecting', 'connected'])
  })

  test('does not wait for a token that never comes', async () => {
    const asked = Promise.withResolvers<void>()
    const attempt = client.start(
      login(() => {
        asked.resolve()
        return new Promise(() => {})
      }),
    )
    const failed = expect(attempt).rejects.toMatchObject({ code: 'hub-unavailable' })
    await asked.promise
    await client.stop()
    await failed
  })

  test('in the middle of a frame ends the frame there', async () => {
    const received: string[] = []
    const stopped = Promise.withResolvers<void>()
    client.on('SessionTerminated', (matchId) => {
      received.push(matchId)
      void client.stop().then(stopped.resolve)
    })
    await client.start(login())
    newest().send(event('SessionTerminated', 's1'), event('SessionTerminated', 's2'))
    await stopped.promise
    expect(received).toEqual(['s1'])
  })

  test('keeps the listeners for the next connection, each subscribed once', async () => {
    const received: string[] = []
    client.on('SessionTerminated', (matchId) => received.push(matchId))
    await client.start(login())
    await client.stop()
    await client.start(login())
    newest().send(event('SessionTerminated', 's1'))
    await waitFor(() => expect(received).toEqual(['s1']))
  })
})

describe('events', () => {
  test('reach every listener until it unsubscribes', async () => {
    const received: string[] = []
    const stop = client.on('OnChatMessage', (matchId, text, id) => received.push(`one ${matchId} ${text} ${id}`))
    client.on('OnChatMessage', (_matchId, text) => received.push(`two ${text}`))
    await client.start(login())
    newest().send(event('OnChatMessage', 's1', 'aGk=', 'm1'))
    await waitFor(() => expect(received).toEqual(['one s1 aGk= m1', 'two aGk=']))
    stop()
    newest().send(event('OnChatMessage', 's1', 'eW8='))
    await waitFor(() => expect(received.slice(2)).toEqual(['two eW8=']))
  })

  test('that are malformed are dropped and logged, without what they carried', async () => {
    const received: string[] = []
    client.on('OnOfferReceived', (matchId) => received.push(matchId))
    await client.start(login())
    newest().send(event('OnOfferReceived', { secret: 1 }, 'x'))
    newest().send(event('OnOfferReceived', 's1'))
    newest().send(event('OnOfferReceived', 's1', '{}'))
    await waitFor(() => expect(received).toEqual(['s1']))
    expect(logged).toEqual(Array(2).fill('A malformed OnOfferReceived of the hub was dropped'))
  })
})

describe('an invocation', () => {
  test('arrives with its arguments and resolves when the hub completes it', async () => {
    await client.start(login())
    await client.invoke('InitiateMatchingWithPeers', client.connectionId(), '[]')
    expect(hub.invocations).toMatchObject([{ target: 'InitiateMatchingWithPeers', arguments: ['c1', '[]'] }])
  })

  test('that is refused rejects with the hub’s code', async () => {
    await client.start(login())
    await expect(client.invoke('OnMatchedSessionTerminationRequested', 's1', 'c1')).rejects.toMatchObject({
      name: 'AppError',
      code: 'not-in-match',
    })
  })

  test('without a connection rejects as unavailable, otherwise with the hub’s error', async () => {
    await expect(client.invoke('UpdateWebRtcConnectionSuccessStatus', 's1')).rejects.toMatchObject({
      code: 'hub-unavailable',
      message: 'Undefined hub connection.',
    })
    await client.start(login())
    await expect(client.invoke('HandleReportedUser', 'c1', 'c2', 'ReportOnly')).rejects.toMatchObject({
      code: 'unknown',
    })
  })
})

describe('losing the connection', () => {
  test('leads to a new one, for which start waits', async () => {
    await client.start(login())
    const release = hub.hold()
    newest().cut()
    await waitFor(() => expect(states.at(-1)).toBe('reconnecting'))
    expect(client.connectionId()).toBe('')
    const again = client.start(login())
    release()
    await again
    expect(client.connectionId()).toBe('c2')
    expect(states).toEqual(['connecting', 'connected', 'reconnecting', 'connected'])
  })

  test('without recovery is given up after the last attempt, and a waiting start rejects', async () => {
    await client.start(login())
    hub.refuse()
    const release = hub.hold()
    newest().cut()
    await waitFor(() => expect(states.at(-1)).toBe('reconnecting'))
    const waiting = expect(client.start(login())).rejects.toMatchObject({ code: 'hub-unavailable' })
    release()
    await waiting
    await waitFor(() => expect(states.at(-1)).toBe('gave-up: hub-unavailable'))
    expect(hub.negotiated).toHaveLength(3)
  })

  test('to another tab is reported as such and not repaired', async () => {
    await client.start(login())
    newest().send({ type: 7, error: 'replaced' })
    await waitFor(() => expect(states.at(-1)).toBe('disconnected: replaced'))
    expect(hub.negotiated).toHaveLength(1)
  })

  test('by a hub that will be back leads to a new one', async () => {
    await client.start(login())
    newest().send({ type: 7, allowReconnect: true })
    await waitFor(() => expect(states).toEqual(['connecting', 'connected', 'reconnecting', 'connected']))
  })

  test('while it is being stopped ends as stopped', async () => {
    await client.start(login())
    hub.hold()
    newest().cut()
    await waitFor(() => expect(states.at(-1)).toBe('reconnecting'))
    await client.stop()
    expect(states.at(-1)).toBe('disconnected')
  })
})

test('an event that the state of the connection has no transition for shows in the trace', async () => {
  const labels: unknown[] = []
  vi.stubGlobal('console', { ...console, timeStamp: (label: string) => labels.push(label) })
  startTracing()
  await client.start(login())
  await client.start(login())
  expect(labels).toEqual(['connect', 'ignored in connected: started'])
  vi.unstubAllGlobals()
})

test('an outage of the hub shows in the trace until the hub is back, with the attempts that failed', async () => {
  const stamps = drawnStamps()
  await client.start(login())
  newest().cut()
  await waitFor(() => expect(states.slice(-2)).toEqual(['reconnecting', 'connected']))
  const outage = stamps.find(({ label }) => label === 'reconnect')
  expect(outage).toMatchObject({ track: 'Hub', group: 'Chat', colour: 'error' })
  expect(stamps.filter(({ label }) => label === 'reconnect')).toHaveLength(1)
  await hub.close()
  await waitFor(() => expect(states.at(-1)).toBe('gave-up: hub-unavailable'))
  const labels = stamps.map(({ label }) => label)
  expect(labels).toContain('connect failed')
  expect(labels.at(-1)).toBe('reconnect, then gave-up')
  expect(labels.filter((label) => /the token|http|127\./.test(label))).toEqual([])
})
