import { step } from '../../../src/call/rules/call-machine.ts'
import type { CallEffect, CallEvent, CallState } from '../../../src/call/rules/call-state.ts'

/** States of the call machine, and a way through it. */

export const waits = { matchTimeoutMs: 20_000, nextWaitSeconds: 3, understoodWaitSeconds: 2 }
export const match = { matchId: 's1', peerConnectionId: 'c1', peer: null }
export const grace = { nickName: 'Grace', alias: 'alias', userSessionId: 'u1' }
export const setup = { awaits: 'offer', deadline: 20_000 } as const
export const connecting = { phase: 'connecting', role: 'Callee', ...setup, ...match } satisfies CallState
export const inCall = (nextIn = 0): CallState => ({
  phase: 'in-call',
  role: 'Callee',
  nextIn,
  ...match,
  peer: grace,
})

export function play(state: CallState, ...events: CallEvent[]): { state: CallState; effects: CallEffect[] } {
  const effects: CallEffect[] = []
  for (const event of events) {
    const next = step(state, event, waits)
    state = next.state
    effects.push(...next.effects)
  }
  return { state, effects }
}
export const kinds = (effects: CallEffect[]) => effects.map(({ type }) => type)
export const ticks = (count: number): CallEvent[] => Array.from({ length: count }, () => ({ type: 'tick' }))
