import { signal } from '@preact/signals-react'
import { expect, test } from 'vitest'
import type { CallState } from '../../../../src/call/rules/call-state.ts'
import { createLastPeerStore, LAST_PEER_MS } from '../../../../src/call/state/last-peer.ts'
import { fakeClock } from '../../../support/fake-clock.ts'

const match = (matchId: string) => ({ matchId, role: 'Caller', peerConnectionId: `to ${matchId}`, peer: null }) as const
const inCall = (matchId: string): CallState => ({ phase: 'in-call', nextIn: 0, ...match(matchId) })
const searching: CallState = { phase: 'searching' }

function visit() {
  const state = signal<CallState>({ phase: 'idle' })
  const clock = fakeClock()
  const sent: string[] = []
  const store = createLastPeerStore({
    clock,
    state,
    send: ({ matchId, report }) => void sent.push(`${matchId} ${report}`),
  })
  return { state, clock, sent, store, last: () => store.match.value?.matchId ?? null }
}

test('is the one of the call that has ended last, for two minutes', () => {
  const { state, clock, last } = visit()
  state.value = inCall('m1')
  expect(last()).toBeNull()
  state.value = searching
  expect(last()).toBe('m1')
  clock.advance(LAST_PEER_MS / 2)
  state.value = inCall('m2')
  state.value = { phase: 'warned', understoodIn: 3 }
  expect(last()).toBe('m2')
  clock.advance(LAST_PEER_MS - 1)
  expect(last()).toBe('m2')
  clock.advance(1)
  expect([last(), clock.waiting()]).toEqual([null, 0])
})

test('is nobody after a report, or where the dialog of the call is still open', () => {
  const { state, store, sent, last } = visit()
  state.value = inCall('m1')
  state.value = searching
  store.reported('m1')
  expect(last()).toBeNull()
  state.value = inCall('m2')
  state.value = { phase: 'reporting', ...match('m2') }
  state.value = searching
  expect(last()).toBeNull()
  store.open()
  expect(store.isOpen.value).toBe(false)
  store.report('ReportOnly', undefined)
  expect(sent).toEqual([])
})

test('stays while the report is written, whoever else leaves, and is reported once', () => {
  const { state, clock, store, sent, last } = visit()
  state.value = inCall('m1')
  state.value = searching
  store.open()
  clock.advance(LAST_PEER_MS)
  state.value = inCall('m2')
  state.value = searching
  expect([last(), store.isOpen.value]).toEqual(['m1', true])
  store.report('BlockAndReport', undefined)
  expect([sent, last(), store.isOpen.value]).toEqual([['m1 BlockAndReport'], null, false])
})

test('is nobody once the dialog is closed after the two minutes', () => {
  const { state, clock, store, last } = visit()
  state.value = inCall('m1')
  state.value = searching
  store.open()
  clock.advance(LAST_PEER_MS)
  store.close()
  expect(last()).toBeNull()
})

test('is not that of another user', () => {
  const { state, store, clock } = visit()
  state.value = inCall('m1')
  state.value = searching
  store.open()
  store.forget()
  expect([store.match.value, store.isOpen.value, clock.waiting()]).toEqual([null, false, 0])
})
