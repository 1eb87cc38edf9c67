import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  afterLook,
  type CurtainState,
  curtainStart,
  type EndedLook,
  isOwnFlagged,
  nextLook,
  showAnyway,
} from '../../../src/curtain/rules/curtain.ts'

/** What happens until the next look at the earliest `idleMs` later; a look that fails has `isFlagged` null. */
const anyStep = fc.record({
  idleMs: fc.integer({ min: 0, max: 3_000 }),
  shown: fc.record({ peer: fc.boolean(), own: fc.boolean() }),
  tookMs: fc.integer({ min: 0, max: 800 }),
  isFlagged: fc.constantFrom(true, true, false, null),
  isChosen: fc.integer({ min: 0, max: 9 }).map((dice) => dice === 0),
})
type Step = typeof anyStep extends fc.Arbitrary<infer Value> ? Value : never
const anyCall = fc.record({
  looksToVeil: fc.integer({ min: 1, max: 4 }),
  steps: fc.array(anyStep, { maxLength: 80, size: 'max' }),
})

type Moment = { before: CurtainState; after: CurtainState; step: Step; look: EndedLook | null }

/** Plays a call by the rules alone, with one look at a time. */
function play({ looksToVeil, steps }: { looksToVeil: number; steps: Step[] }): Moment[] {
  let now = 1_000
  let state = curtainStart
  return steps.map((step) => {
    now += step.idleMs
    if (step.isChosen) state = showAnyway(state)
    const before = state
    const next = nextLook(state, step.shown)
    if (!next) return { before, after: state, step, look: null }
    const startedAt = Math.max(now, next.at)
    const endedAt = startedAt + step.tookMs
    const look = { of: next.of, startedAt, endedAt, isFlagged: step.isFlagged }
    state = afterLook(state, look, looksToVeil)
    now = endedAt
    return { before, after: state, step, look }
  })
}

const peerLooks = (moments: Moment[]) => moments.flatMap(({ look }) => (look?.of === 'peer' ? [look] : []))

test('the picture is veiled after so many flagged looks in a row, unless the user has chosen to see it', () => {
  fc.assert(
    fc.property(anyCall, (call) => {
      let inRow = 0
      for (const { before, after, look } of play(call)) {
        if (look?.of !== 'peer' || look.isFlagged === null) {
          expect(after.isVeiled).toBe(before.isVeiled)
          continue
        }
        inRow = look.isFlagged ? inRow + 1 : 0
        expect(after.isVeiled).toBe(inRow >= call.looksToVeil)
      }
    }),
  )
})

test('nothing is looked at again, and nothing veiled, after the choice in the same call', () => {
  fc.assert(
    fc.property(anyCall, (call) => {
      const late: EndedLook = { of: 'peer', startedAt: 0, endedAt: 1, isFlagged: true }
      for (const { before, after, look } of play(call)) {
        if (!before.isChosen) continue
        expect([after.isVeiled, after.isChosen]).toEqual([false, true])
        expect(look?.of).not.toBe('peer')
        const more = Array.from({ length: call.looksToVeil }).reduce<CurtainState>(
          (state) => afterLook(state, late, call.looksToVeil),
          after,
        )
        expect(more.isVeiled).toBe(false)
      }
    }),
  )
})

test('looks come at most twice a second at first and once a second later, earlier only after a flagged one', () => {
  fc.assert(
    fc.property(anyCall, (call) => {
      const looks = peerLooks(play(call))
      let inRow = 0
      for (const [index, look] of looks.entries()) {
        const last = looks[index - 1]
        if (last) {
          const isLate = last.startedAt - (looks[0]?.startedAt ?? 0) >= 10_000
          const least = inRow > 0 ? 300 : isLate ? 1_000 : 500
          expect(look.startedAt - last.startedAt).toBeGreaterThanOrEqual(least)
          expect(look.startedAt - last.endedAt).toBeGreaterThanOrEqual(last.endedAt - last.startedAt)
        }
        if (look.isFlagged !== null) inRow = look.isFlagged ? inRow + 1 : 0
      }
      const own = play(call).flatMap(({ look }) => (look?.of === 'own' ? [look] : []))
      for (const [index, look] of own.entries())
        expect(look.startedAt - (own[index - 1]?.startedAt ?? Number.NEGATIVE_INFINITY)).toBeGreaterThanOrEqual(2_000)
    }),
  )
})

test('a picture that is not shown, or veiled, is not looked at', () => {
  fc.assert(
    fc.property(anyCall, (call) => {
      for (const { before, step, look } of play(call)) {
        expect(nextLook(before, { peer: false, own: false })).toBeNull()
        if (look) expect(step.shown[look.of]).toBe(true)
        if (before.isVeiled) expect(look?.of).not.toBe('peer')
      }
    }),
  )
})

test('the looks at the own picture neither veil nor count anything, and are told by the last ones', () => {
  fc.assert(
    fc.property(anyCall, (call) => {
      let inRow = 0
      for (const { before, after, look } of play(call)) {
        if (look?.of !== 'own') continue
        if (look.isFlagged !== null) inRow = look.isFlagged ? inRow + 1 : 0
        expect(after).toEqual({ ...before, own: after.own })
        expect(isOwnFlagged(after, call.looksToVeil)).toBe(inRow >= call.looksToVeil)
      }
    }),
  )
})

test('both pictures get their turn, and two looks veil within 1.5 s of the first flagged picture', () => {
  const shown = { peer: true, own: true }
  const anyTook = fc.integer({ min: 0, max: 90 })
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 40_000 }), anyTook, (flaggedFrom, tookMs) => {
      let state = curtainStart
      let now = 0
      let isOwnSeen = false
      while (!state.isVeiled) {
        const next = nextLook(state, shown)
        if (!next) throw new Error('There is always a next look')
        const startedAt = Math.max(now, next.at)
        now = startedAt + tookMs
        isOwnSeen ||= next.of === 'own'
        const isFlagged = next.of === 'peer' && startedAt >= flaggedFrom
        state = afterLook(state, { of: next.of, startedAt, endedAt: now, isFlagged }, 2)
      }
      expect(now - flaggedFrom).toBeLessThanOrEqual(1_500)
      expect(isOwnSeen || flaggedFrom <= tookMs).toBe(true)
    }),
  )
})

test('the counts are those of the looks at the peer', () => {
  fc.assert(
    fc.property(anyCall, (call) => {
      const moments = play(call)
      const last = moments.at(-1)?.after ?? curtainStart
      const done = peerLooks(moments).filter(({ isFlagged }) => isFlagged !== null)
      expect([last.looks, last.flagged]).toEqual([done.length, done.filter(({ isFlagged }) => isFlagged).length])
      expect(last.veils).toBe(Number(last.isVeiled || last.isChosen))
    }),
  )
})
