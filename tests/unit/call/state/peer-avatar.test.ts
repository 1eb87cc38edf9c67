import { signal } from '@preact/signals-react'
import { expect, test } from 'vitest'
import { AppError } from '#protocol/errors.ts'
import type { EndpointOutput } from '#protocol/rest.ts'
import type { CallState } from '../../../../src/call/rules/call-state.ts'
import { createPeerAvatarStore } from '../../../../src/call/state/peer-avatar.ts'
import { fakeApi } from '../../../support/fakes/fake-api.ts'
import { silentLog } from '../../../support/silent-log.ts'
import { waitFor } from '../../../support/wait-for.ts'

type Picture = EndpointOutput<'readMatchPicture'> | Promise<EndpointOutput<'readMatchPicture'>>

const match = (matchId: string) => ({ matchId, role: 'Caller', peerConnectionId: 'p', peer: null }) as const
const connecting = (awaits: 'answer' | 'connection', matchId = 'm1'): CallState => ({
  phase: 'connecting',
  awaits,
  deadline: 9,
  ...match(matchId),
})
const inCall = (matchId: string): CallState => ({ phase: 'in-call', nextIn: 0, ...match(matchId) })
const searching: CallState = { phase: 'searching' }
const picture = btoa('WebP')

function peer(read: (session: string) => Picture = () => ({ picture }), isSaver = false) {
  const state = signal<CallState>(searching)
  const asked: string[] = []
  const revoked: string[] = []
  const log = silentLog()
  let made = 0
  const store = createPeerAvatarStore({
    api: fakeApi({
      readMatchPicture({ session }) {
        asked.push(session)
        return read(session)
      },
    }),
    log,
    state,
    isSaver: signal(isSaver),
    urls: { make: () => `blob:${++made}`, revoke: (url) => void revoked.push(url) },
  })
  return { store, state, asked, revoked, log }
}

test('the picture comes with the match, once', async () => {
  const { store, state, asked } = peer()
  state.value = connecting('answer')
  await waitFor(() => expect(store.url.value).toBe('blob:1'))
  state.value = connecting('connection')
  state.value = inCall('m1')
  expect([asked, store.url.value]).toEqual([['m1'], 'blob:1'])
})

test('its URL is revoked when the match ends, and the next match starts without a picture', async () => {
  const { store, state, revoked } = peer()
  state.value = inCall('m1')
  await waitFor(() => expect(store.url.value).toBe('blob:1'))
  state.value = inCall('m2')
  expect([store.url.value, revoked]).toEqual([null, ['blob:1']])
  await waitFor(() => expect(store.url.value).toBe('blob:2'))
  state.value = searching
  expect([store.url.value, revoked]).toEqual([null, ['blob:1', 'blob:2']])
})

test('a picture that arrives after its match is not shown', async () => {
  const late = Promise.withResolvers<EndpointOutput<'readMatchPicture'>>()
  const { store, state, asked, log } = peer(() => late.promise)
  state.value = inCall('m1')
  await waitFor(() => expect(asked).toEqual(['m1']))
  state.value = searching
  late.resolve({ picture })
  await late.promise
  expect(store.url.value).toBeNull()
  expect(log.errors).toEqual([])
})

test.each([
  ['timeout', 1],
  ['not-found', 0],
] as const)('after %s the default picture stays', async (code, logged) => {
  const failed = Promise.reject(new AppError(code))
  failed.catch(() => {})
  const { store, state, log, asked } = peer(() => failed)
  state.value = inCall('m1')
  await waitFor(() => expect(asked).toEqual(['m1']))
  await failed.catch(() => {})
  await waitFor(() => expect(log.errors).toHaveLength(logged))
  expect(store.url.value).toBeNull()
})

test('nothing is asked for with the data saver', () => {
  const { state, asked } = peer(undefined, true)
  state.value = inCall('m1')
  expect(asked).toEqual([])
})
