import { signal } from '@preact/signals-react'
import { expect, type Mock, vi } from 'vitest'
import { AppError, type ErrorCode } from '#protocol/errors.ts'
import type { HubEvent, HubEventArguments, HubMethod } from '#protocol/hub.ts'
import type { Stores } from '../../../src/app/stores.ts'
import type { HubClient, PeerConnection, PeerListener, PeerOptions } from '../../../src/call/ports.ts'
import type { CallSample } from '../../../src/call/rules/call-reading.ts'
import { createCallRunner } from '../../../src/call/runner/call-runner.ts'
import type { ExperiencePorts } from '../../../src/call/runner/match-reports.ts'
import { createCallStore } from '../../../src/call/state/call.ts'
import { createHubStore, createSearchStore } from '../../../src/call/state/hub.ts'
import type { Interruption } from '../../../src/devices/rules/interruption.ts'
import { createToastStore } from '../../../src/platform/state/toasts.ts'
import { createVisitStore } from '../../../src/platform/state/visit.ts'
import { fakeClock } from '../fake-clock.ts'
import { fakeApi } from '../fakes/fake-api.ts'
import { silentLog } from '../silent-log.ts'
import { waitFor } from '../wait-for.ts'

type Listener = (...args: string[]) => void
type FakePeer = PeerOptions<MediaStream> & { did: string[]; emit: PeerListener<MediaStream> }

/** A hub client that records invocations and emits events for a test. While the hub is away, invocations do not settle. */
function fakeHub() {
  const invoked: unknown[][] = []
  const unsettled = new Set<(error: AppError) => void>()
  const refusals = new Map<HubMethod, ErrorCode>()
  let id = 'own'
  let away = false
  const listeners = new Map<HubEvent, Listener>()
  let stateListener: Parameters<HubClient['onState']>[0] = () => {}
  const client: HubClient = {
    start: async () => stateListener('connected', null),
    stop: async () => {},
    connectionId: () => id,
    invoke(...args) {
      invoked.push(args)
      const refusal = refusals.get(args[0])
      if (refusal) return Promise.reject(new AppError(refusal))
      return away ? new Promise((_resolve, reject) => unsettled.add(reject)) : Promise.resolve()
    },
    on(event, listener) {
      listeners.set(event, listener as unknown as Listener)
      return () => listeners.delete(event)
    },
    onState(listener) {
      stateListener = listener
      return () => {}
    },
  }
  return {
    client,
    invoked,
    names: () => invoked.map(([name]) => name),
    emit: <E extends HubEvent>(event: E, ...args: HubEventArguments<E>) =>
      listeners.get(event)?.(...(args as unknown as string[])),
    state: (...args: Parameters<typeof stateListener>) => stateListener(...args),
    /** Later invocations of this method are refused with this code; without one they are accepted. */
    refuse(method: HubMethod, code: ErrorCode | null): void {
      if (code === null) refusals.delete(method)
      else refusals.set(method, code)
    },
    /** Later invocations do not settle. */
    goAway(): void {
      away = true
    },
    /** Reports the lost connection and rejects unsettled invocations. */
    lose(): void {
      stateListener('reconnecting', null)
      for (const reject of unsettled) reject(new AppError('hub-unavailable'))
      unsettled.clear()
    },
    comeBack(newId: string, settling = true): void {
      id = newId
      away = !settling
      stateListener('connected', null)
    },
  }
}

const responses = {
  readBlockStatus: () => ({ status: 'Valid' as const }),
  readBlockList: () => ['x'],
  readMatchedIds: () => ({ matchedEmailIds: ['x', 'y'] }),
  reportConnection: () => ({ message: 'Valid' }),
  readTurn: () => ({ turnUrl: '', username: '', credential: '', stunUrl: 'stun:127.0.0.1:3478' }),
}

/** A visit that is not in the sample. */
const noExperience: ExperiencePorts = {
  isAllowed: () => false,
  loadPage: async () => ({ browser: 'chrome', inpMs: () => null }),
}

/** One visit to matching and chat: the real runner and call machine over ports that the test controls. `saves`: with the data saver. `stored`: what the browser has stored. */
export function visit(
  changed: Parameters<typeof fakeApi>[0] = {},
  {
    saves = false,
    stored = new Map<string, Blob | string>(),
    email = 'ada@example.org',
    experience = noExperience,
  } = {},
) {
  const api = fakeApi({ ...responses, ...changed })
  const clock = fakeClock()
  const log = silentLog()
  const hub = fakeHub()
  const went: string[] = []
  const peers: FakePeer[] = []
  const stream = signal({} as MediaStream)
  const relayOnly = signal(false)
  const isSaver = signal(saves)
  const interruption = signal<Interruption | null>(null)
  const networkListeners = new Set<() => void>()
  const ignored: string[] = []
  let warmUps = 0
  const readings: Partial<CallSample>[] = []
  const chat: Record<'clear' | 'receive', Mock> = { clear: vi.fn(), receive: vi.fn() }
  const waits = { matchTimeoutMs: 20_000, nextWaitSeconds: 10, understoodWaitSeconds: 10 }
  const call = createCallStore({
    run: (effect, dispatch) => runner.run(effect, dispatch),
    waits,
    ignored: (event, phase) => ignored.push(`${event} in ${phase}`),
  })
  const stores = {
    account: { email: { peek: () => email }, nickName: { peek: () => 'Ada' } },
    visit: createVisitStore(),
    config: waits,
    devices: {
      open: vi.fn(async () => stream.peek()),
      openForMatch: vi.fn(async () => {}),
      stream,
      interruption,
      captureEvidence: vi.fn(async () => {}),
      keepEvidence: vi.fn(),
      sendEvidence: vi.fn(async () => {}),
      forgetEvidence: vi.fn(),
    },
    pictureChoice: { isSaver },
    relayOnly: { on: relayOnly },
    quality: { take: vi.fn(() => false), stop: vi.fn(), peerPicture: signal('moving') },
    dataUse: { take: vi.fn(), stop: vi.fn() },
    sounds: { play: vi.fn() },
    typing: { peerTyped: vi.fn(), forgetPeer: vi.fn() },
    search: createSearchStore(),
    hub: createHubStore(),
    toasts: createToastStore(clock, log),
    texts: { t: (key: string) => key },
    call,
    chat,
  } as unknown as Stores
  stores.visit.begin('s1')

  function newPeer(options: PeerOptions<MediaStream>): FakePeer {
    const peer = { ...options, did: [], emit: () => {} }
    peers.push(peer)
    return peer
  }

  function peerOf(peer: FakePeer, taken: string, listener: PeerListener<MediaStream>): PeerConnection<MediaStream> {
    const { did } = peer
    peer.emit = listener
    did.push(taken)
    return {
      accept: (data) => void did.push(`accept ${data}`),
      addCandidate: (data) => void did.push(`candidate ${data}`),
      restartIce: () => void did.push('restart'),
      takeServers: (next) => void did.push(`servers ${next[0]?.urls[0]}`),
      replaceTracks: async () => void did.push('replace'),
      sample: async () => ({ framesDecoded: 0, audioPacketsReceived: 0, ...readings.shift() }) as CallSample,
      limit: async () => {},
      delayPlayback: () => {},
      tell: () => {},
      measure: () => {},
      restoreSize: async () => {},
      close: () => void did.push('close'),
    }
  }

  const runner = createCallRunner(
    {
      api,
      clock,
      log,
      hub: hub.client,
      experience,
      navigation: { go: (path) => void went.push(path) },
      storage: { get: async (key) => stored.get(key), set: async (key, value) => void stored.set(key, value) },
      onNetworkChange(listener) {
        networkListeners.add(listener)
        return () => void networkListeners.delete(listener)
      },
      peers: {
        async warmUp() {
          warmUps += 1
        },
        prepare(options) {
          const peer = newPeer(options)
          return {
            take: (role, listener) => peerOf(peer, role, listener),
            close: () => void peer.did.push('unused'),
          }
        },
        open: (role, options, listener) => peerOf(newPeer(options), `open ${role}`, listener),
      },
    },
    stores,
  )
  return {
    api,
    clock,
    log,
    hub,
    went,
    peers,
    chat,
    stores,
    runner,
    stored,
    ignored,
    call,
    stream,
    relayOnly,
    isSaver,
    readings,
    interruption,
    changeNetwork: () => [...networkListeners].forEach((listener) => void listener()),
    warmUps: () => warmUps,
  }
}

/** Resolves with a visit that has joined the match queue. */
export async function searching(...given: Parameters<typeof visit>) {
  const all = visit(...given)
  all.call.dispatch({ type: 'started' })
  await waitFor(() => expect(all.hub.names()).toEqual(['InitiateMatchingWithPeers']))
  return all
}
