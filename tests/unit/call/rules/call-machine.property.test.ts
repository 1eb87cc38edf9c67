import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { sized } from '../../../../scripts/test-limits.ts'
import { step, UNNAMED_PEER } from '../../../../src/call/rules/call-machine.ts'
import type { CallEffect, CallEvent, CallState } from '../../../../src/call/rules/call-state.ts'

const matchIds = ['s1', 's2', 's3']
/** Stands for the match of the state in which the event comes: most events of others are ignored. */
const OWN = 'own'
const matchId = fc.constantFrom(...matchIds, OWN, OWN, OWN)
const at = fc.integer({ min: 0, max: 30_000 })
const text = fc.constantFrom('{}', '{"a":1}')

/** Generates every event of the machine, frequent ones more often. */
const anyEvent: fc.Arbitrary<CallEvent> = fc.oneof(
  { weight: 4, arbitrary: fc.constant<CallEvent>({ type: 'tick' }) },
  { weight: 3, arbitrary: fc.constantFrom<CallEvent>({ type: 'started' }, { type: 'ready' }) },
  {
    weight: 3,
    arbitrary: fc.record({
      type: fc.constant('match-found' as const),
      matchId,
      role: fc.constantFrom('Caller' as const, 'Callee' as const),
      peerConnectionId: fc.constantFrom('c1', 'c2'),
      at,
    }),
  },
  { weight: 4, arbitrary: fc.record({ type: fc.constant('video-arrived' as const), matchId }) },
  {
    weight: 3,
    arbitrary: fc.record({
      type: fc.constantFrom(
        'connection-broken' as const,
        'connection-lost' as const,
        'match-timed-out' as const,
        'match-terminated' as const,
        'reported-by-peer' as const,
      ),
      matchId,
    }),
  },
  fc.record({ type: fc.constant('match-forgotten' as const), matchId, isBroken: fc.boolean() }),
  { weight: 2, arbitrary: fc.record({ type: fc.constant('peer-connected' as const), matchId, at }) },
  fc.record({ type: fc.constant('description-received' as const), matchId, data: text, at }),
  fc.record({
    type: fc.constant('description-made' as const),
    matchId,
    kind: fc.constantFrom('offer' as const, 'answer' as const),
    data: text,
    at,
  }),
  {
    weight: 2,
    arbitrary: fc.constantFrom<CallEvent>(
      { type: 'next-pressed' },
      { type: 'peer-missed' },
      { type: 'exit-pressed' },
      { type: 'leave-now-pressed' },
      { type: 'understood-pressed' },
      { type: 'cancel-pressed' },
      { type: 'hub-reconnected' },
      { type: 'reconnect-pressed' },
      { type: 'left' },
      { type: 'failed', reason: 'hub-unavailable' },
      { type: 'failed', reason: 'not-allowed' },
      { type: 'report-opened' },
      { type: 'report-dropped' },
      { type: 'report-chosen', report: 'ReportOnly' },
      { type: 'peer-named', peer: { nickName: 'Grace', alias: 'a', userSessionId: 'u' } },
    ),
  },
)
/** The usual events of a call up to its report, which random events rarely produce. */
const wayIn: fc.Arbitrary<CallEvent[]> = fc
  .record({
    matchId,
    role: fc.constantFrom('Caller' as const, 'Callee' as const),
    steps: fc.integer({ min: 1, max: 6 }),
    last: fc.constantFrom(
      'connection-lost' as const,
      'match-terminated' as const,
      'reported-by-peer' as const,
      'report-dropped' as const,
    ),
  })
  .map(({ matchId, role, steps, last }) => {
    const way: CallEvent[] = [
      { type: 'started' },
      { type: 'ready' },
      { type: 'match-found', matchId, role, peerConnectionId: 'c1', at: 0 },
      { type: 'video-arrived', matchId },
      { type: 'report-opened' },
      last === 'report-dropped' ? { type: last } : { type: last, matchId: OWN },
    ]
    return way.slice(0, steps)
  })
const anyEvents: fc.Arbitrary<CallEvent[]> = fc
  .array(fc.oneof({ weight: 5, arbitrary: anyEvent.map((event) => [event]) }, wayIn), { maxLength: 60, size: 'max' })
  .map((parts) => parts.flat())
const anyWaits = fc.record({
  matchTimeoutMs: fc.constant(20_000),
  nextWaitSeconds: fc.integer({ min: 0, max: 3 }),
  understoodWaitSeconds: fc.integer({ min: 0, max: 3 }),
})

/** Resources that are open after the effects so far. Throws on a second start and on the use of a closed resource. */
function world() {
  let peer = false
  let matchTimer = false
  let ticking = false
  function need(holds: boolean, what: string): void {
    if (!holds) throw new Error(what)
  }
  return {
    standing: () => ({ peer, matchTimer, ticking }),
    carryOut(effect: CallEffect, state: CallState): void {
      switch (effect.type) {
        case 'open-peer':
          need(!peer, 'a peer is opened while another is open')
          peer = true
          break
        case 'close-peer':
          peer = false
          break
        case 'accept-description':
        case 'restart-ice':
          need(peer, `${effect.type} without a peer`)
          break
        case 'send-description':
          need('matchId' in state && effect.matchId === state.matchId, `${effect.type} for another match`)
          break
        case 'start-match-timer':
          need(!matchTimer, 'the match timer runs already')
          matchTimer = true
          break
        case 'stop-match-timer':
          matchTimer = false
          break
        case 'start-ticking':
          need(!ticking, 'the countdown runs already')
          ticking = true
          break
        case 'stop-ticking':
          ticking = false
          break
        default:
      }
    },
  }
}

type Waits = Parameters<typeof step>[2]
type Visit = { before: CallState; event: CallEvent; after: CallState; effects: CallEffect[] }

function run(events: CallEvent[], waits: Waits, check: (visit: Visit, standing: ReturnType<typeof world>) => void) {
  const outside = world()
  let state: CallState = { phase: 'idle' }
  for (const drawn of events) {
    const event =
      'matchId' in drawn && drawn.matchId === OWN
        ? { ...drawn, matchId: 'matchId' in state ? state.matchId : 's1' }
        : drawn
    const { state: after, effects } = step(state, event, waits)
    for (const effect of effects) outside.carryOut(effect, after)
    check({ before: state, event, after, effects }, outside)
    state = after
  }
}

function always(check: (visit: Visit, outside: ReturnType<typeof world>, waits: Waits) => void) {
  fc.assert(
    fc.property(anyEvents, anyWaits, (events, waits) =>
      run(events, waits, (visit, outside) => check(visit, outside, waits)),
    ),
    { numRuns: sized(100, 500) },
  )
}

describe('whatever happens in whatever order', () => {
  test('a peer connection is open exactly while there is a match', () => {
    always(({ after }, outside) => {
      expect(outside.standing().peer).toBe(after.phase === 'connecting' || after.phase === 'in-call')
    })
  })

  test('the match timer runs exactly while the call is being connected', () => {
    always(({ after }, outside) => {
      expect(outside.standing().matchTimer).toBe(after.phase === 'connecting')
    })
  })

  test('the match timer runs to the deadline of its match, and names the step that the match waits for', () => {
    always(({ before, event, after, effects }, _outside, { matchTimeoutMs }) => {
      const timers = effects.filter((effect) => effect.type === 'start-match-timer')
      if (after.phase !== 'connecting') return expect(timers).toEqual([])
      if (event.type === 'match-found' && before.phase !== 'connecting')
        expect(after.deadline).toBe(event.at + matchTimeoutMs)
      else expect(before).toMatchObject({ deadline: after.deadline })
      const [timer] = timers
      if (!timer) return expect(before).toMatchObject({ awaits: after.awaits })
      expect(timers).toHaveLength(1)
      const { ms, missing, matchId } = timer
      const leftMs = 'at' in event ? after.deadline - event.at : 0
      expect([matchId, missing, ms]).toEqual([after.matchId, after.awaits, Math.max(0, leftMs)])
    })
  })

  test('the countdown runs only while a call or a warning is on the screen, and always while it has to count', () => {
    always(({ event, after }, outside) => {
      const left = after.phase === 'in-call' ? after.nextIn : after.phase === 'warned' ? after.understoodIn : null
      if (left === null) expect(outside.standing().ticking).toBe(false)
      else if (left > 0) expect(outside.standing().ticking).toBe(true)
      else if (event.type === 'tick') expect(outside.standing().ticking).toBe(false)
    })
  })

  test('an event of another match changes nothing', () => {
    always(({ before, event, after, effects }) => {
      if (!('matchId' in event) || !('matchId' in before) || event.matchId === before.matchId) return
      expect(after).toBe(before)
      expect(effects).toEqual([])
    })
  })

  test('before its wait is over Next, Exit and Understood change nothing', () => {
    always(({ before, event, after, effects }) => {
      const waiting =
        (before.phase === 'in-call' &&
          before.nextIn > 0 &&
          (event.type === 'next-pressed' || event.type === 'exit-pressed')) ||
        (before.phase === 'warned' && before.understoodIn > 0 && event.type === 'understood-pressed')
      if (!waiting) return
      expect(after).toBe(before)
      expect(effects).toEqual([])
    })
  })

  test('a report and leaving now end a call at every second, and the report names it before anything is closed', () => {
    always(({ before, event, after, effects }) => {
      if (event.type !== 'report-chosen' && event.type !== 'leave-now-pressed') return
      if (before.phase !== 'in-call' && before.phase !== 'reporting') return expect(after).toBe(before)
      const isReport = event.type === 'report-chosen'
      const isWarned = before.phase === 'reporting' && before.isWarned
      expect(after.phase).toBe(isWarned ? 'warned' : isReport ? 'searching' : 'ended')
      const { matchId, peerConnectionId } = before
      const report = isReport ? [{ type: 'report', matchId, peerConnectionId, report: event.report }] : []
      expect(effects.filter(({ type }) => type === 'report')).toEqual(report)
      if (isReport) expect(effects[0]).toEqual(report[0])
    })
  })

  test('nothing that the peer does closes an open report dialog, and nobody is matched behind it', () => {
    const ofPeer = ['match-terminated', 'connection-lost', 'reported-by-peer', 'match-timed-out', 'match-found']
    always(({ before, event, after }) => {
      const isOpen = before.phase === 'reporting' || (before.phase === 'in-call' && before.isReportOpen)
      if (!isOpen || !ofPeer.includes(event.type)) return
      expect(['in-call', 'reporting']).toContain(after.phase)
      expect(after).toMatchObject({ matchId: before.matchId, peerConnectionId: before.peerConnectionId })
    })
  })

  test('a call counts down one by one from the full wait, unless nobody is seen', () => {
    always(({ before, event, after }, _outside, waits) => {
      if (after.phase !== 'in-call') return
      if (before.phase !== 'in-call') expect(after.nextIn).toBe(waits.nextWaitSeconds)
      else if (event.type === 'peer-missed') expect(after.nextIn).toBe(0)
      else expect([before.nextIn, Math.max(0, before.nextIn - 1)]).toContain(after.nextIn)
    })
  })

  test('a visit that is over stays over until the next one starts', () => {
    always(({ before, event, after, effects }) => {
      if ((before.phase !== 'idle' && before.phase !== 'ended') || event.type === 'started') return
      expect(after).toBe(before)
      expect(effects).toEqual([])
    })
  })

  test('leaving stops everything, and the end of a match is sent to the server', () => {
    always(({ before, event, after, effects }, outside) => {
      if (event.type !== 'left' || before.phase === 'ended') return
      expect(after).toEqual({ phase: 'idle' })
      expect(outside.standing()).toEqual({ peer: false, matchTimer: false, ticking: false })
      const terminated = effects.filter(({ type }) => type === 'terminate')
      const match = 'matchId' in before && before.phase !== 'reporting' ? [before.matchId] : []
      expect(terminated).toEqual(match.map((matchId) => ({ type: 'terminate', matchId })))
    })
  })

  test('the hub is asked for a queue entry on every entry into the search, and never otherwise', () => {
    always(({ before, event, after, effects }) => {
      const asks = effects.filter(({ type }) => type === 'join-queue').length
      const enters = after.phase === 'searching' && (before.phase !== 'searching' || event.type === 'hub-reconnected')
      expect(asks).toBe(enters ? 1 : 0)
      if (enters) expect(effects.at(-1)).toEqual({ type: 'join-queue' })
    })
  })

  test('no effect names another match than the one before or the one after', () => {
    always(({ before, after, effects }) => {
      const matches = [before, after].filter((state) => 'matchId' in state)
      for (const effect of effects) {
        if ('matchId' in effect) expect(matches.map(({ matchId }) => matchId)).toContain(effect.matchId)
        if ('peerConnectionId' in effect)
          expect(matches.map(({ peerConnectionId }) => peerConnectionId)).toContain(effect.peerConnectionId)
      }
    })
  })

  test('the end of every match that the server did not end itself is sent to it, once', () => {
    always(({ before, event, after, effects }) => {
      const goesOn = (state: CallState) => state.phase === 'connecting' || state.phase === 'in-call'
      const known = event.type === 'match-terminated' || event.type === 'reported-by-peer'
      const sent = effects.filter(({ type }) => type === 'terminate')
      const ended = 'matchId' in before && goesOn(before) && !goesOn(after) && !known
      expect(sent).toEqual(ended ? [{ type: 'terminate', matchId: before.matchId }] : [])
    })
  })

  test('a user whose call ends without their asking for it is notified of the reason', () => {
    always(({ before, event, after, effects }) => {
      if (before.phase !== 'connecting' && before.phase !== 'in-call') return
      if (after.phase !== 'searching' && after.phase !== 'reporting') return
      const why = effects.filter(({ type }) => type === 'notify-peer-left' || type === 'notify-connection-lost')
      const own = ['next-pressed', 'report-chosen', 'reported-by-peer'].includes(event.type)
      const nickName = before.peer?.nickName ?? UNNAMED_PEER
      const isLost = ['connection-lost', 'match-forgotten', 'connection-broken'].includes(event.type)
      const word = isLost ? 'notify-connection-lost' : 'notify-peer-left'
      if (own) expect(why).toEqual([])
      else expect(why).toEqual([{ type: word, nickName }])
    })
  })

  test('the screen follows the phase', () => {
    const screenOf = {
      connecting: 'buzzing',
      searching: 'buzzing',
      preparing: 'buzzing',
      'in-call': 'chat',
      reporting: 'chat',
      warned: 'chat',
    }
    always(({ before, after, effects }) => {
      const went = effects.flatMap((effect) => (effect.type === 'go' ? [effect.to] : []))
      if (after.phase === 'idle') expect(went).toEqual([])
      else if (after.phase === 'ended') {
        expect(went).toEqual([])
        const left = before.phase === 'ended' ? [] : [{ type: 'leave', reason: after.reason }]
        expect(effects.filter(({ type }) => type === 'leave')).toEqual(left)
      } else if (before.phase in screenOf) {
        const from = screenOf[before.phase as keyof typeof screenOf]
        // A warning is shown on the chat screen, which is requested although it may be open.
        const moves = screenOf[after.phase] !== from || (after.phase === 'warned' && before.phase !== 'warned')
        const ends = 'matchId' in before && after.phase === 'searching'
        expect(went).toEqual(moves || ends ? [screenOf[after.phase]] : [])
      }
    })
  })

  test('no countdown goes below zero', () => {
    always(({ after }) => {
      if (after.phase === 'in-call') expect(after.nextIn).toBeGreaterThanOrEqual(0)
      if (after.phase === 'warned') expect(after.understoodIn).toBeGreaterThanOrEqual(0)
    })
  })
})
