import { describe, expect, test, vi } from 'vitest'
import { PUBLIC_STUN_URLS } from '#protocol/constants.ts'
import { AppError } from '#protocol/errors.ts'
import { createSoundStore } from '../../../../src/devices/state/sounds.ts'
import { searching, visit } from '../../../support/call/call-visit.ts'
import { waitFor } from '../../../support/wait-for.ts'

type Visit = ReturnType<typeof visit>

/** Advances the clock second by second, and lets promises settle after each. */
async function pass({ clock }: Pick<Visit, 'clock'>, seconds: number): Promise<void> {
  for (let second = 0; second < seconds; second += 1) {
    clock.advance(1_000)
    for (let turn = 0; turn < 5; turn += 1) await Promise.resolve()
  }
}

const never = () => new Promise<never>(() => {})

describe('an API that does not respond', () => {
  test('does not delay a search without a relay and lists; the relay is used when it comes', async () => {
    const turn = Promise.withResolvers<{ turnUrl: string; username: string; credential: string; stunUrl: string }>()
    const all = visit({ readTurn: () => turn.promise, readBlockList: never, readMatchedIds: never })
    all.call.dispatch({ type: 'started' })
    await pass(all, 3)
    await waitFor(() => expect(all.call.phase.value).toBe('searching'))
    expect(all.hub.invoked).toEqual([['InitiateMatchingWithPeers', 'own', '[]']])
    expect(all.peers.map(({ servers }) => servers)).toEqual([[{ urls: PUBLIC_STUN_URLS }]])
    turn.resolve({ turnUrl: 'turn:127.0.0.1:3478', username: 'u', credential: 'c', stunUrl: '' })
    await waitFor(() => expect(all.peers).toHaveLength(2))
    expect(all.peers[1]?.servers).toEqual([{ urls: ['turn:127.0.0.1:3478'], username: 'u', credential: 'c' }])
  })

  test('never starts a search without a relay for a user who hides the own address', async () => {
    const all = visit({ readTurn: never })
    all.relayOnly.value = true
    all.call.dispatch({ type: 'started' })
    await pass(all, 60)
    expect(all.call.phase.value).toBe('preparing')
    expect(all.peers).toEqual([])
  })
})

test('what the browser has stored is not waited for longer than two seconds', async () => {
  const stored = new Map<string, Blob | string>()
  // As a broken IndexedDB.
  stored.get = () => never() as never
  const all = visit({}, { stored })
  all.call.dispatch({ type: 'started' })
  await pass(all, 1)
  expect(all.call.phase.value).toBe('preparing')
  await pass(all, 1)
  await waitFor(() => expect(all.call.phase.value).toBe('searching'))
})

test('nobody is matched with the picture of a camera that gives none', async () => {
  const all = visit()
  vi.mocked(all.stores.devices.openForMatch).mockRejectedValue(new AppError('camera-refused'))
  all.call.dispatch({ type: 'started' })
  await pass(all, 3)
  expect(all.hub.invoked).toEqual([])
  expect(all.call.phase.value).toBe('ended')
})

describe('while the connection is made', () => {
  test('a peer that answers slowly gets no second offer', async () => {
    const all = await searching()
    all.hub.emit('OnUserMatched', 'Caller', 's', 'peer')
    await pass(all, 9)
    all.hub.emit('OnAnswerReceived', 's', 'a')
    await pass(all, 9)
    expect(all.peers[0]?.did).toEqual(['Caller', 'accept a'])
  })

  test('a sound that cannot be played does not stop the call', async () => {
    const all = await searching()
    const play = () => {
      throw new Error('no more players')
    }
    const storage = { get: async () => undefined, set: async () => {} }
    const sounds = createSoundStore({ storage, log: all.log, play })
    sounds.choose(true)
    vi.mocked(all.stores.sounds.play).mockImplementation(sounds.play)
    all.hub.emit('OnUserMatched', 'Caller', 's', 'peer')
    expect(all.peers[0]?.did).toEqual(['Caller'])
  })

  test('a match without a camera ends on the dashboard', async () => {
    const all = visit()
    all.stream.value = null as never
    all.call.dispatch({ type: 'started' })
    await waitFor(() => expect(all.hub.names()).toEqual(['InitiateMatchingWithPeers']))
    all.hub.emit('OnUserMatched', 'Caller', 's', 'peer')
    expect(all.went).toEqual(['/dashboard'])
    expect(all.hub.names().at(-1)).toBe('OnMatchedSessionTerminationRequested')
  })
})

test('media that stops after the first packet leads to a restart', async () => {
  const all = await searching()
  all.hub.emit('OnUserMatched', 'Caller', 's', 'peer')
  all.peers[0]?.emit({ type: 'connection', state: 'connected' })
  all.peers[0]?.emit({ type: 'video-arrived' })
  await pass(all, 6)
  expect(all.peers[0]?.did).toEqual(['Caller', 'restart'])
})

describe('a camera that was lost', () => {
  const lost = { kind: 'video', what: 'lost', trouble: 'absent' } as const
  const refused = () => Promise.reject(new AppError('camera-refused'))

  test('in the call must be back before the next search', async () => {
    const all = await searching()
    all.hub.emit('OnUserMatched', 'Caller', 's', 'peer')
    all.peers[0]?.emit({ type: 'video-arrived' })
    all.interruption.value = lost
    vi.mocked(all.stores.devices.open).mockImplementationOnce(refused)
    all.hub.invoked.length = 0
    all.hub.emit('SessionTerminated', 's')
    await waitFor(() => expect(all.went.at(-1)).toBe('/dashboard'))
    expect(all.hub.names()).toEqual([])
    expect(all.stores.toasts.popup.value?.text).toBe('toasts.camera-refused')
  })

  test('and comes back does not stop the search', async () => {
    const all = await searching()
    all.hub.emit('OnUserMatched', 'Caller', 's', 'peer')
    all.peers[0]?.emit({ type: 'video-arrived' })
    all.interruption.value = lost
    all.hub.invoked.length = 0
    all.hub.emit('SessionTerminated', 's')
    await waitFor(() => expect(all.hub.names()).toEqual(['InitiateMatchingWithPeers']))
    expect(all.call.phase.value).toBe('searching')
  })

  test('while searching ends the search once no other replaces it, not before and not in a call', async () => {
    const all = await searching()
    all.interruption.value = { ...lost, trouble: null }
    expect(all.call.phase.value).toBe('searching')
    all.hub.emit('OnUserMatched', 'Caller', 's', 'peer')
    all.peers[0]?.emit({ type: 'video-arrived' })
    all.interruption.value = lost
    expect(all.call.phase.value).toBe('in-call')

    const other = await searching()
    other.interruption.value = lost
    expect(other.went).toEqual(['/dashboard'])
    await other.runner.stop()
    other.interruption.value = { ...lost }
    expect(other.went).toEqual(['/dashboard'])
  })
})

test('a user whose login ended elsewhere stops searching', async () => {
  const all = await searching()
  all.hub.state('disconnected', 'login-required')
  expect(all.went).toEqual(['/dashboard'])
})

test('a late refusal of an earlier search does not end the call after it', async () => {
  const all = await searching()
  const late = Promise.withResolvers<void>()
  all.hub.client.invoke = () => late.promise
  all.hub.lose()
  all.hub.comeBack('own2')
  all.hub.emit('OnUserMatched', 'Caller', 's', 'peer')
  all.peers.at(-1)?.emit({ type: 'video-arrived' })
  late.reject(new AppError('too-many-requests'))
  await pass(all, 1)
  expect(all.call.phase.value).toBe('in-call')
})

test('candidates of a lost network are not offered to the next peer', async () => {
  const all = await searching()
  all.changeNetwork()
  expect(all.peers.map(({ did }) => did)).toEqual([['unused'], []])
  all.hub.emit('OnUserMatched', 'Caller', 's', 'peer')
  all.changeNetwork()
  expect(all.peers).toHaveLength(2)
})
