import { describe, expect, test } from 'vitest'
import {
  disconnected,
  type HubConnectionEffect,
  type HubConnectionEvent,
  type HubConnectionState,
  stepHubConnection,
} from '../../../../src/call/rules/hub-connection-machine.ts'
import { routeOver } from '../../../../src/call/rules/hub-route.ts'

const delays = [0, 2_000, 10_000, 30_000]
const route = routeOver(['a', 'b'])
const connected: HubConnectionState = { phase: 'connected', connection: 1, route }
const lostBy = (connection: number): HubConnectionEvent => ({
  type: 'ended',
  connection,
  reason: 'lost',
  mayReturn: true,
})

/** Every event must have a transition. */
function play(state: HubConnectionState, ...events: HubConnectionEvent[]) {
  const effects: HubConnectionEffect[] = []
  for (const event of events) {
    const next = stepHubConnection(state, event, delays)
    if (!next) throw new Error(`${event.type} is ignored in ${state.phase}`)
    state = next.state
    effects.push(...next.effects)
  }
  return { state, effects }
}
const reports = (effects: HubConnectionEffect[]) =>
  effects.flatMap((effect) => (effect.type === 'report' ? [[effect.state, effect.code]] : []))

describe('starting', () => {
  test('opens a connection to the first hub', () => {
    const { state, effects } = play(
      disconnected,
      { type: 'started', origins: ['a', 'b'] },
      { type: 'token-requested', connection: 1 },
      { type: 'message-received', connection: 1 },
      { type: 'opened', connection: 1 },
    )
    expect(state).toEqual(connected)
    expect(effects).toEqual([
      { type: 'open', connection: 1, origin: 'a' },
      { type: 'report', state: 'connecting', code: null, reason: '' },
      { type: 'report', state: 'connected', code: null, reason: '' },
    ])
  })

  test('tries the hub of each region twice, and then fails', () => {
    const second = play(disconnected, { type: 'started', origins: ['a', 'b'] }, lostBy(1))
    expect(second.effects.slice(2)).toEqual([
      { type: 'drop', reason: 'lost' },
      { type: 'mark-failed', origin: 'a' },
      { type: 'open', connection: 2, origin: 'b' },
    ])
    const { state, effects } = play(second.state, lostBy(2), lostBy(3), lostBy(4))
    expect(state).toEqual({ phase: 'disconnected', connection: 4 })
    expect(effects.flatMap((effect) => (effect.type === 'open' ? [effect.origin] : []))).toEqual(['a', 'b'])
    expect(effects.slice(-3)).toEqual([
      { type: 'drop', reason: 'lost' },
      { type: 'mark-failed', origin: 'b' },
      { type: 'report', state: 'disconnected', code: 'hub-unavailable', reason: 'lost' },
    ])
  })

  test('survives a network that breaks the first socket', () => {
    const { state, effects } = play(disconnected, { type: 'started', origins: ['a'] }, lostBy(1), {
      type: 'opened',
      connection: 2,
    })
    expect(state.phase).toBe('connected')
    expect(reports(effects)).toEqual([
      ['connecting', null],
      ['connected', null],
    ])
  })

  test('ends at once where the hub refuses this user', () => {
    const begun = play(disconnected, { type: 'started', origins: ['a', 'b'] }).state
    const { state, effects } = play(begun, { type: 'ended', connection: 1, reason: 'blocked', mayReturn: false })
    expect(state.phase).toBe('disconnected')
    expect(reports(effects)).toEqual([['disconnected', 'blocked']])
  })

  test('again never takes the number of an earlier connection', () => {
    const { state } = play(connected, { type: 'stopped' }, { type: 'started', origins: ['a'] })
    expect(state).toMatchObject({ phase: 'connecting', connection: 2 })
  })
})

describe('a socket that breaks', () => {
  const reattaching = play(connected, { type: 'token-requested', connection: 1 })

  test('is replaced within the time of an attempt, and reported', () => {
    expect(reattaching.state).toEqual({ phase: 'reattaching', connection: 1, route })
    expect(reattaching.effects[0]).toEqual({ type: 'limit-reattachment' })
    expect(reports(reattaching.effects)).toEqual([['reconnecting', null]])
  })

  test('keeps the connection once a message comes over the next', () => {
    const { state, effects } = play(reattaching.state, { type: 'message-received', connection: 1 })
    expect(state).toEqual(connected)
    expect(reports(effects)).toEqual([['connected', null]])
  })

  test('and cannot be replaced leads to a new connection, without a second report', () => {
    const { state, effects } = play(reattaching.state, lostBy(1))
    expect(state).toMatchObject({ phase: 'waiting', attempts: 1 })
    expect(effects).toEqual([
      { type: 'drop', reason: 'lost' },
      { type: 'wait', ms: 0 },
    ])
  })
})

describe('a lost connection', () => {
  const waiting = play(connected, lostBy(1))

  test('is reported, and replaced after a delay', () => {
    expect(waiting.effects).toEqual([
      { type: 'drop', reason: 'lost' },
      { type: 'wait', ms: 0 },
      { type: 'report', state: 'reconnecting', code: null, reason: '' },
    ])
    const { state, effects } = play(waiting.state, { type: 'delay-passed' }, { type: 'opened', connection: 2 })
    expect(state).toEqual({ ...connected, connection: 2 })
    expect(effects[0]).toEqual({ type: 'open', connection: 2, origin: 'a' })
  })

  test('is replaced at once when the page wakes up', () => {
    const { effects } = play(waiting.state, { type: 'woken' })
    expect(effects).toEqual([{ type: 'stop-waiting' }, { type: 'open', connection: 2, origin: 'a' }])
  })

  test('is retried at the same hub three times, then at the next region, then given up', () => {
    const passed: HubConnectionEvent = { type: 'delay-passed' }
    const { state, effects } = play(
      waiting.state,
      passed,
      lostBy(2),
      passed,
      lostBy(3),
      passed,
      lostBy(4),
      lostBy(5),
      passed,
      lostBy(6),
    )
    const way = effects.flatMap((effect): (string | number)[] => {
      if (effect.type === 'wait') return [effect.ms]
      return effect.type === 'open' ? [effect.origin] : []
    })
    expect(way).toEqual(['a', 2_000, 'a', 10_000, 'a', 'b', 30_000, 'a'])
    expect(state.phase).toBe('gave-up')
    expect(reports(effects)).toEqual([['gave-up', 'hub-unavailable']])
  })

  test('after a Close that forbids to reconnect is given up, or ends the visit if the hub names a reason', () => {
    const closed = (reason: string): HubConnectionEvent => ({ type: 'ended', connection: 1, reason, mayReturn: false })
    expect(reports(play(connected, closed('the hub closed')).effects)).toEqual([['gave-up', 'hub-unavailable']])
    expect(reports(play(connected, closed('replaced')).effects)).toEqual([['disconnected', 'replaced']])
  })
})

describe('a hub that was given up', () => {
  const gaveUp: HubConnectionState = { phase: 'gave-up', connection: 4, route: { ...route, failed: 2 } }

  test.each([{ type: 'woken' }, { type: 'started', origins: ['a', 'b'] }] as const)(
    'is tried again when $type',
    (event) => {
      const { state, effects } = play(gaveUp, event)
      expect(state).toEqual({ phase: 'reconnecting', attempts: 1, connection: 5, route })
      expect(effects[0]).toEqual({ type: 'open', connection: 5, origin: 'a' })
      expect(reports(effects)).toEqual([['reconnecting', null]])
    },
  )
})

describe('stopping', () => {
  test('sends a Close where the hub can receive it', () => {
    expect(play(connected, { type: 'stopped' }).effects[0]).toEqual({ type: 'close', isOpen: true })
    const reattaching = play(connected, { type: 'token-requested', connection: 1 }).state
    expect(play(reattaching, { type: 'stopped' }).effects[0]).toEqual({ type: 'close', isOpen: false })
  })

  test('between two connections ends the wait alone', () => {
    const { effects } = play(play(connected, lostBy(1)).state, { type: 'stopped' })
    expect(effects.map(({ type }) => type)).toEqual(['stop-waiting', 'report'])
  })
})

test('an event without a transition, or of an earlier connection, is ignored', () => {
  expect(stepHubConnection(disconnected, { type: 'stopped' }, delays)).toBeNull()
  expect(stepHubConnection(connected, { type: 'delay-passed' }, delays)).toBeNull()
  expect(stepHubConnection(connected, { type: 'opened', connection: 1 }, delays)).toBeNull()
  expect(stepHubConnection({ ...connected, connection: 2 }, lostBy(1), delays)).toBeNull()
})
