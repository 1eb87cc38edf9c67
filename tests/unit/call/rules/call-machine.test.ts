import { describe, expect, test } from 'vitest'
import { step, UNNAMED_PEER } from '../../../../src/call/rules/call-machine.ts'
import type { CallEffect, CallEvent, CallState } from '../../../../src/call/rules/call-state.ts'
import { connecting, grace, inCall, kinds, match, play, setup, ticks, waits } from '../../../support/call/machine.ts'

// Rules: docs/product.md MATCH-10 to MATCH-13, CALL-3 to CALL-7, CALL-9, REPORT-8.

describe('the way into a call', () => {
  test('leads from preparing through the queue and a match to the chat', () => {
    const { state, effects } = play(
      { phase: 'idle' },
      { type: 'started' },
      { type: 'ready' },
      { type: 'match-found', matchId: 's1', role: 'Caller', peerConnectionId: 'c1', at: 0 },
      { type: 'peer-named', peer: grace },
      { type: 'video-arrived', matchId: 's1' },
    )
    expect(state).toEqual({
      phase: 'in-call',
      matchId: 's1',
      role: 'Caller',
      peerConnectionId: 'c1',
      peer: grace,
      nextIn: 3,
    })
    expect(effects).toEqual([
      { type: 'prepare' },
      { type: 'join-queue' },
      { type: 'start-match-timer', matchId: 's1', ms: 20_000, missing: 'answer' },
      { type: 'open-peer', matchId: 's1', role: 'Caller' },
      { type: 'introduce', peerConnectionId: 'c1', matchId: 's1' },
      { type: 'stop-match-timer' },
      { type: 'report-connected', matchId: 's1' },
      { type: 'start-ticking' },
      { type: 'go', to: 'chat' },
    ])
  })

  test('is reported as a success by the Callee too', () => {
    const { effects } = play(connecting, { type: 'video-arrived', matchId: 's1' })
    expect(kinds(effects)).toContain('report-connected')
  })

  test('carries descriptions to the peer of the match and from it', () => {
    const { state, effects } = play(
      connecting,
      { type: 'description-received', matchId: 's1', data: 'offer', at: 1_000 },
      { type: 'description-made', matchId: 's1', kind: 'answer', data: 'answer', at: 2_000 },
    )
    expect(state).toEqual({ ...connecting, awaits: 'connection' })
    expect(effects).toEqual([
      { type: 'accept-description', data: 'offer' },
      { type: 'send-description', matchId: 's1', peerConnectionId: 'c1', kind: 'answer', data: 'answer' },
      { type: 'stop-match-timer' },
      { type: 'start-match-timer', matchId: 's1', ms: 18_000, missing: 'connection' },
    ])
  })

  test('starts a new search after 20 s without the peer’s video, and reports it to the server', () => {
    const { state, effects } = play(connecting, { type: 'match-timed-out', matchId: 's1' })
    expect(state).toEqual({ phase: 'searching' })
    expect(effects).toContainEqual({ type: 'terminate', matchId: 's1' })
    expect(effects).toContainEqual({ type: 'notify-peer-left', nickName: UNNAMED_PEER })
    expect(effects.at(-1)).toEqual({ type: 'join-queue' })
  })

  test('has 20 s for all steps together, however long one takes, and its timer names the one that is missing', () => {
    const caller: CallState = { ...connecting, role: 'Caller', awaits: 'answer' }
    const answered = play(caller, { type: 'description-received', matchId: 's1', data: 'answer', at: 11_000 })
    expect(answered.state).toEqual({ ...caller, awaits: 'connection' })
    expect(answered.effects).toEqual([
      { type: 'accept-description', data: 'answer' },
      { type: 'stop-match-timer' },
      { type: 'start-match-timer', matchId: 's1', ms: 9_000, missing: 'connection' },
    ])
    const connected = play(answered.state, { type: 'peer-connected', matchId: 's1', at: 21_000 })
    expect(connected.state).toEqual({ ...caller, awaits: 'picture' })
    expect(connected.effects).toEqual([
      { type: 'stop-match-timer' },
      { type: 'start-match-timer', matchId: 's1', ms: 0, missing: 'picture' },
    ])
  })

  test('waits on for the own answer when the offer is here, and for the answer when the own offer is made', () => {
    const offered = play(connecting, { type: 'description-received', matchId: 's1', data: 'offer', at: 1 })
    expect(offered.state).toBe(connecting)
    const caller: CallState = { ...connecting, role: 'Caller', awaits: 'answer' }
    const offer = { type: 'description-made', matchId: 's1', kind: 'offer', data: 'offer', at: 1 } as const
    expect(play(caller, offer).state).toBe(caller)
  })

  test('queues again when the hub gave this user a new connection', () => {
    expect(play({ phase: 'searching' }, { type: 'hub-reconnected' }).effects).toEqual([{ type: 'join-queue' }])
    expect(play(inCall(), { type: 'hub-reconnected' }).effects).toEqual([{ type: 'confirm-match', matchId: 's1' }])
  })
})

test('the hub is started again on demand while a call goes on without it', () => {
  expect(play(inCall(), { type: 'reconnect-pressed' }).effects).toEqual([{ type: 'reconnect' }])
  expect(play({ phase: 'searching' }, { type: 'reconnect-pressed' }).effects).toEqual([])
})

describe('a call', () => {
  test('that the peer leaves ends with a notice and a search, and nothing is sent to the server', () => {
    const { state, effects } = play(inCall(), { type: 'match-terminated', matchId: 's1' })
    expect(state).toEqual({ phase: 'searching' })
    expect(effects).toContainEqual({ type: 'notify-peer-left', nickName: 'Grace' })
    expect(kinds(effects)).not.toContain('terminate')
  })

  test('may be left by Next once its wait is over, not a second before', () => {
    const waiting = play(inCall(3), ...ticks(2)).state
    expect(play(waiting, { type: 'next-pressed' })).toEqual({ state: waiting, effects: [] })
    expect(play(waiting, { type: 'exit-pressed' })).toEqual({ state: waiting, effects: [] })

    const { state, effects } = play(waiting, ...ticks(1), { type: 'next-pressed' })
    expect(state).toEqual({ phase: 'searching' })
    expect(effects).toContainEqual({ type: 'terminate', matchId: 's1' })
  })

  test('in which nobody is seen may be left by Next at once, and no longer counts', () => {
    const { state, effects } = play(inCall(3), { type: 'peer-missed' })
    expect([state, effects]).toMatchObject([{ phase: 'in-call', nextIn: 0 }, [{ type: 'stop-ticking' }]])
    expect(play(state, { type: 'peer-missed' })).toEqual({ state, effects: [] })
    expect(play(state, { type: 'next-pressed' }).state).toEqual({ phase: 'searching' })
    const searching: CallState = { phase: 'searching' }
    expect(play(searching, { type: 'peer-missed' })).toEqual({ state: searching, effects: [] })
  })

  test('ends on the dashboard by Exit', () => {
    const { state, effects } = play(inCall(), { type: 'exit-pressed' })
    expect(state).toEqual({ phase: 'ended', reason: 'exit' })
    expect(effects).toContainEqual({ type: 'terminate', matchId: 's1' })
    expect(effects.at(-1)).toEqual({ type: 'leave', reason: 'exit' })
  })

  test('whose connection fails is restarted by the Caller, while the Callee waits for the new offer', () => {
    const failed: CallEvent = { type: 'connection-broken', matchId: 's1' }
    expect(play({ phase: 'connecting', role: 'Caller', ...setup, ...match }, failed).effects).toEqual([
      { type: 'restart-ice' },
    ])
    expect(play(inCall(), failed).effects).toEqual([])
  })
})

describe('a reported user', () => {
  const reported = play(inCall(1), { type: 'reported-by-peer', matchId: 's1' })

  test('is shown the warning, with a picture taken before the call is gone', () => {
    expect(reported.state).toEqual({ phase: 'warned', understoodIn: 2 })
    const order = kinds(reported.effects)
    expect(order.indexOf('capture-evidence')).toBeLessThan(order.indexOf('close-peer'))
  })

  test('stays with the warning when the match ends', () => {
    expect(play(reported.state, { type: 'match-terminated', matchId: 's1' })).toEqual({
      state: reported.state,
      effects: [],
    })
  })

  test('stays with the warning when the report suspends them, and only then goes', () => {
    const barred = play(reported.state, { type: 'failed', reason: 'not-allowed' }, ...ticks(1))
    expect(barred.state).toEqual({ phase: 'warned', understoodIn: 1, barred: true })
    expect(barred.effects).toEqual([])
    const { state, effects } = play(barred.state, ...ticks(1), { type: 'understood-pressed' })
    expect(state).toEqual({ phase: 'ended', reason: 'not-allowed' })
    expect(kinds(effects)).not.toContain('join-queue')
  })

  test('may acknowledge it once the wait is over, and is matched again', () => {
    const early = play(reported.state, ...ticks(1), { type: 'understood-pressed' })
    expect(early.state).toEqual({ phase: 'warned', understoodIn: 1 })
    const { state, effects } = play(early.state, ...ticks(1), { type: 'understood-pressed' })
    expect(state).toEqual({ phase: 'searching' })
    expect(kinds(effects)).toContain('join-queue')
  })
})

describe('a visit', () => {
  const hereReached: CallState[] = [{ phase: 'preparing' }, { phase: 'searching' }, connecting]

  test.each(hereReached)('is cancelled while $phase', (state) => {
    expect(play(state, { type: 'cancel-pressed' }).state).toEqual({ phase: 'ended', reason: 'cancel' })
  })

  test.each([...hereReached, inCall()])('that fails while $phase ends on the dashboard', (state) => {
    const { state: end, effects } = play(state, { type: 'failed', reason: 'replaced' })
    expect(end).toEqual({ phase: 'ended', reason: 'replaced' })
    expect(effects.at(-1)).toEqual({ type: 'leave', reason: 'replaced' })
  })

  test('that is left by other means goes nowhere itself', () => {
    const { state, effects } = play(inCall(1), { type: 'left' })
    expect(state).toEqual({ phase: 'idle' })
    expect(effects).toContainEqual({ type: 'terminate', matchId: 's1' })
    expect(kinds(effects)).not.toContain('leave')
    expect(kinds(effects)).not.toContain('go')
  })

  test('may be followed by another', () => {
    expect(play({ phase: 'ended', reason: 'exit' }, { type: 'started' }).state).toEqual({ phase: 'preparing' })
  })
})

describe('in a match, before and after the peer’s video arrives', () => {
  const match = { matchId: 's1', role: 'Caller' as const, peerConnectionId: 'c1' }
  const phases: CallState[] = [
    { phase: 'connecting', awaits: 'offer', deadline: 20_000, ...match, peer: null },
    { phase: 'in-call', ...match, peer: null, nextIn: 3 },
    { phase: 'in-call', ...match, peer: null, nextIn: 0 },
  ]
  const of = (event: CallEvent) => phases.map((state) => step(state, event, waits))
  const effectsOf = (event: CallEvent) => of(event).map(({ effects }) => effects)
  const data = 'd'

  test('every signal becomes its effect', () => {
    const signals: [CallEvent, CallEffect][] = [
      [
        { type: 'description-received', matchId: 's1', data, at: 0 },
        { type: 'accept-description', data },
      ],
      [
        { type: 'description-made', matchId: 's1', kind: 'answer', data, at: 0 },
        { type: 'send-description', matchId: 's1', peerConnectionId: 'c1', kind: 'answer', data },
      ],
      [{ type: 'connection-broken', matchId: 's1' }, { type: 'restart-ice' }],
    ]
    for (const [event, effect] of signals) {
      const [connecting = [], ...inCall] = effectsOf(event)
      expect(connecting.filter(({ type }) => !type.endsWith('match-timer'))).toEqual([effect])
      expect(inCall).toEqual([[effect], [effect]])
    }
  })

  test('the peer is named', () => {
    for (const { state } of of({ type: 'peer-named', peer: grace })) expect(state).toMatchObject({ peer: grace })
  })

  test('its end, the loss of its connection and a report end it', () => {
    const phaseAfter = (event: CallEvent) => of(event).map(({ state }) => state.phase)
    expect(phaseAfter({ type: 'match-terminated', matchId: 's1' })).toEqual(Array(3).fill('searching'))
    expect(phaseAfter({ type: 'connection-lost', matchId: 's1' })).toEqual(Array(3).fill('searching'))
    expect(phaseAfter({ type: 'reported-by-peer', matchId: 's1' })).toEqual(Array(3).fill('warned'))
    for (const effects of effectsOf({ type: 'reported-by-peer', matchId: 's1' }))
      expect(effects).toContainEqual({ type: 'capture-evidence' })
  })

  test('it ends if the hub has forgotten the match and nothing arrives from the peer', () => {
    const forgotten = { type: 'match-forgotten', matchId: 's1' } as const
    const lost = expect.objectContaining({ type: 'notify-connection-lost' })
    const silent = play(inCall(), { ...forgotten, isBroken: true })
    expect(silent.state.phase).toBe('searching')
    expect(silent.effects).toContainEqual(lost)
    const talking = play(inCall(), { ...forgotten, isBroken: false })
    expect([talking.state.phase, talking.effects]).toEqual(['in-call', []])
    const broken = play(talking.state, { type: 'connection-broken', matchId: 's1' })
    expect(broken.state.phase).toBe('searching')
    expect(broken.effects).toContainEqual(lost)
  })

  test('it times out only before the peer’s video arrives, which arrives once', () => {
    const untouched = phases.slice(1).map((state) => ({ state, effects: [] }))
    expect(of({ type: 'match-timed-out', matchId: 's1' }).slice(1)).toEqual(untouched)
    expect(of({ type: 'video-arrived', matchId: 's1' }).slice(1)).toEqual(untouched)
  })

  test('a picture for a report is taken in a call only, and forgotten', () => {
    expect(effectsOf({ type: 'report-opened' })).toEqual([[], [{ type: 'keep-evidence' }], [{ type: 'keep-evidence' }]])
    expect(effectsOf({ type: 'report-dropped' })).toEqual([
      [],
      [{ type: 'forget-evidence' }],
      [{ type: 'forget-evidence' }],
    ])
  })
})

test('there is no match outside the queue, and of all failures only a suspension waits for the warning to be acknowledged', () => {
  const found: CallEvent = { type: 'match-found', matchId: 's1', role: 'Caller', peerConnectionId: 'c1', at: 0 }
  expect(step({ phase: 'preparing' }, found, waits)).toEqual({ state: { phase: 'preparing' }, effects: [] })
  const warned: CallState = { phase: 'warned', understoodIn: 2 }
  expect(step(warned, { type: 'failed', reason: 'replaced' }, waits).state).toEqual({
    phase: 'ended',
    reason: 'replaced',
  })
})
