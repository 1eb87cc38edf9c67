import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { sized } from '../../../../scripts/test-limits.ts'
import type { HubState } from '../../../../src/call/ports.ts'
import {
  disconnected,
  type HubConnectionEffect,
  type HubConnectionEvent,
  type HubConnectionState,
  stepHubConnection,
} from '../../../../src/call/rules/hub-connection-machine.ts'

const delays = [0, 2_000, 10_000, 30_000]

/** An event in which `age` 0 stands for the newest connection, 1 for the one before. */
type Draft = Exclude<HubConnectionEvent, { connection: number }> | ({ age: number } & Late)
type Late =
  | { type: 'token-requested' | 'opened' | 'message-received' }
  | { type: 'ended'; reason: string; mayReturn: boolean }

const age = fc.constantFrom(0, 0, 0, 0, 1)
const anyDraft: fc.Arbitrary<Draft> = fc.oneof(
  fc.record({
    type: fc.constant('started' as const),
    origins: fc.constantFrom(['a'], ['a', 'b'], ['a', 'b', 'c']),
  }),
  fc.constantFrom<Draft>({ type: 'stopped' }, { type: 'woken' }),
  { weight: 5, arbitrary: fc.constant<Draft>({ type: 'delay-passed' }) },
  {
    weight: 6,
    arbitrary: fc.record({
      type: fc.constantFrom('token-requested' as const, 'opened' as const, 'message-received' as const),
      age,
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      type: fc.constant('ended' as const),
      age,
      reason: fc.constantFrom('lost', 'lost', 'lost', 'replaced'),
      mayReturn: fc.constantFrom(true, true, true, false),
    }),
  },
)
/** A hub that cannot be reached again until every delay and every region was tried, which random events rarely produce. */
const wayOut: fc.Arbitrary<Draft[]> = fc
  .record({ origins: fc.constantFrom(['a'], ['a', 'b']), failures: fc.integer({ min: 1, max: 8 }) })
  .map(({ origins, failures }) => [
    { type: 'started', origins },
    { type: 'opened', age: 0 },
    ...Array.from({ length: failures }, (): Draft[] => [
      { type: 'ended', age: 0, reason: 'lost', mayReturn: true },
      { type: 'delay-passed' },
    ]).flat(),
  ])
const anyDrafts = fc
  .array(fc.oneof({ weight: 15, arbitrary: anyDraft.map((draft) => [draft]) }, wayOut), { maxLength: 60, size: 'max' })
  .map((parts) => parts.flat())

/** Connections and timers after the effects so far. Throws on a second start and on the use of a closed connection. */
function world() {
  let open: number | null = null
  let waiting = false
  let reported: HubState = 'disconnected'
  function need(holds: boolean, what: string): void {
    if (!holds) throw new Error(what)
  }
  return {
    standing: () => ({ open, waiting, reported }),
    carryOut(effect: HubConnectionEffect): void {
      switch (effect.type) {
        case 'open':
          need(open === null, 'a connection is opened while another is open')
          need(!waiting, 'a connection is opened during the delay before it')
          open = effect.connection
          break
        case 'drop':
        case 'close':
          need(open !== null, `${effect.type} without a connection`)
          open = null
          break
        case 'check':
        case 'limit-reattachment':
          need(open !== null, `${effect.type} without a connection`)
          break
        case 'wait':
          need(!waiting, 'a delay is begun during another')
          waiting = true
          break
        case 'stop-waiting':
          need(waiting, 'there is no delay to stop')
          waiting = false
          break
        case 'report':
          need(effect.state !== reported, `${effect.state} is reported twice`)
          reported = effect.state
          break
        case 'mark-failed':
          break
        default:
          effect satisfies never
      }
    },
    passDelay(): void {
      waiting = false
    },
  }
}

type World = ReturnType<typeof world>
type Moment = {
  before: HubConnectionState
  event: HubConnectionEvent
  next: ReturnType<typeof stepHubConnection>
  after: HubConnectionState
  effects: HubConnectionEffect[]
}

function always(check: (moment: Moment, outside: World) => void): void {
  fc.assert(
    fc.property(anyDrafts, (drafts) => {
      const outside = world()
      let before = disconnected
      for (const draft of drafts) {
        const event: HubConnectionEvent =
          'age' in draft ? { ...draft, connection: before.connection - draft.age } : draft
        // The delay passes only while one runs.
        if (event.type === 'delay-passed' && before.phase !== 'waiting') continue
        if (event.type === 'delay-passed') outside.passDelay()
        const next = stepHubConnection(before, event, delays)
        const after = next?.state ?? before
        const effects = next?.effects ?? []
        for (const effect of effects) outside.carryOut(effect)
        check({ before, event, next, after, effects }, outside)
        before = after
      }
    }),
    { numRuns: sized(100, 500) },
  )
}

describe('whatever happens in whatever order', () => {
  test('a connection is open exactly in the phases that have one, and it is the newest', () => {
    always(({ after }, outside) => {
      const has = ['connecting', 'connected', 'reattaching', 'reconnecting'].includes(after.phase)
      expect(outside.standing().open).toBe(has ? after.connection : null)
    })
  })

  test('a delay runs exactly while the next connection is waited for', () => {
    always(({ after }, outside) => expect(outside.standing().waiting).toBe(after.phase === 'waiting'))
  })

  test('the reported state follows the phase, each change once, as the last effect', () => {
    const stateOf: Record<HubConnectionState['phase'], HubState> = {
      disconnected: 'disconnected',
      connecting: 'connecting',
      connected: 'connected',
      reattaching: 'reconnecting',
      waiting: 'reconnecting',
      reconnecting: 'reconnecting',
      'gave-up': 'gave-up',
    }
    always(({ after, effects }, outside) => {
      expect(outside.standing().reported).toBe(stateOf[after.phase])
      const index = effects.findIndex(({ type }) => type === 'report')
      expect([-1, effects.length - 1]).toContain(index)
    })
  })

  test('an event of an earlier connection is ignored', () => {
    always(({ before, event, next }) => {
      if ('connection' in event && event.connection !== before.connection) expect(next).toBeNull()
    })
  })

  test('numbers of connections only grow, and each is opened once', () => {
    always(({ before, after, effects }) => {
      const opened = effects.filter(({ type }) => type === 'open').length
      expect(opened).toBeLessThanOrEqual(1)
      expect(after.connection).toBe(before.connection + opened)
    })
  })

  test('a stop leaves nothing open, and a stopped connection waits for a start', () => {
    always(({ before, event, after }, outside) => {
      if (event.type === 'stopped')
        expect([after.phase, outside.standing()]).toEqual([
          'disconnected',
          { open: null, waiting: false, reported: 'disconnected' },
        ])
      if (before.phase === 'disconnected' && event.type !== 'started') expect(after).toBe(before)
    })
  })

  test('delays follow their order from the first, and end with giving up', () => {
    always(({ before, after, effects }) => {
      const waits = effects.flatMap((effect) => (effect.type === 'wait' ? [effect.ms] : []))
      if (after.phase !== 'waiting' || after === before) return expect(waits).toEqual([])
      const made = before.phase === 'reconnecting' ? before.attempts : 0
      expect([waits, after.attempts]).toEqual([[delays[made]], made + 1])
    })
  })

  test('an established connection resets the number of attempts', () => {
    always(({ after }) => {
      if (after.phase === 'connected') expect(after.route.failed).toBe(0)
    })
  })
})
