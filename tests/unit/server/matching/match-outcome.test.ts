import { expect, test } from 'vitest'
import { type MatchFacts, outcomeOf, setupTimes } from '../../../../server/matching/rules/match-outcome.ts'

const times = setupTimes(20_000)
const there = { isReached: true, sawPeer: false, hasSpoken: true, silentMs: 0 }
const silent = { isReached: true, sawPeer: false, hasSpoken: false, silentMs: times.silentMs }
const unreached = { isReached: false, sawPeer: false, hasSpoken: false, silentMs: 0 }

/** Of a match that has failed for want of an offer. */
const base: MatchFacts = {
  Caller: there,
  Callee: there,
  lastedMs: times.owedMs + 1_000,
  hasOffer: false,
  hasAnswer: false,
  owedMs: times.owedMs,
  callMs: null,
  leaver: null,
  isReport: false,
}

function failedOf(facts: Partial<MatchFacts>): [caller: number, callee: number] {
  const { Caller, Callee } = outcomeOf({ ...base, ...facts }, times)
  return [Caller.failed, Callee.failed]
}

const early = { lastedMs: times.silentMs + 1_000, owedMs: times.silentMs }
const offered = { hasOffer: true }
const answered = { hasOffer: true, hasAnswer: true, owedMs: null }

test.each<[string, Partial<MatchFacts>, [number, number]]>([
  ['the Caller sends nothing', { ...early, Caller: silent }, [2, 0]],
  ['the Callee sends nothing', { ...early, ...offered, Callee: silent }, [0, 2]],
  ['nobody sends anything', { ...early, Caller: silent, Callee: silent }, [2, 2]],
  [
    'the Callee leaves in vain, who waited for a Caller who sends nothing',
    { ...early, Caller: silent, leaver: 'Callee' },
    [2, 0],
  ],
  ['the Caller sends no offer', {}, [1, 0]],
  ['the Callee leaves before it is sure that none comes', { ...early, leaver: 'Callee' }, [0, 0]],
  ['the Caller drops', { Caller: unreached, owedMs: null }, [0.2, 0]],
  ['the Caller drops soon', { ...early, Caller: unreached, owedMs: null }, [0, 0]],
  ['the Caller leaves at once', { leaver: 'Caller', lastedMs: 900, owedMs: 800 }, [1, 0]],
  ['the Callee does not answer an offer, which may be none that a browser accepts', offered, [0.25, 1]],
  ['the offer never arrived', { ...offered, owedMs: null }, [0, 0.2]],
  ['the offer arrived late', { ...offered, owedMs: 3_000 }, [0, 0]],
  ['the Callee reports', { leaver: 'Callee', isReport: true, lastedMs: 900 }, [0, 0]],
  ['no picture comes after the answer: nobody can tell whose fault it is', answered, [0.2, 0.2]],
  [
    'only one says that the other is seen: one of them sends nothing, or lies',
    { ...answered, Caller: { ...there, sawPeer: true } },
    [0.5, 0.5],
  ],
  ['the Callee drops after the answer', { ...answered, Callee: unreached }, [0, 0.2]],
  ['the Callee leaves as soon as both see each other', { ...answered, callMs: 500, leaver: 'Callee' }, [0, 1]],
  ['the Callee leaves for what was shown', { ...answered, callMs: 3_000, leaver: 'Callee' }, [0, 0]],
  ['the Callee reports what was shown', { ...answered, callMs: 500, leaver: 'Callee', isReport: true }, [0, 0]],
])('%s', (_, facts, expected) => {
  expect(failedOf(facts)).toEqual(expected)
})

test('a call of five seconds is good for both, whoever ends it; a shorter one is not', () => {
  const good = (callMs: number) => outcomeOf({ ...base, ...answered, callMs, leaver: 'Caller' }, times)
  expect(good(5_000).Caller.good + good(5_000).Callee.good).toBe(2)
  expect(good(4_999).Caller.good + good(4_999).Callee.good).toBe(0)
})

test('whoever was failed has done their part', () => {
  expect(outcomeOf({ ...base, Caller: silent }, times)).toMatchObject({ Caller: { fair: 0 }, Callee: { fair: 1 } })
  expect(outcomeOf({ ...base, ...offered }, times)).toMatchObject({ Caller: { fair: 1 }, Callee: { fair: 0 } })
  expect(outcomeOf({ ...base, ...answered }, times).Caller.fair).toBeLessThan(0.5)
})

test('whoever is not reached and says nothing has not done their part, whoever drops after a word has a quarter', () => {
  const fairOf = (Caller: MatchFacts['Caller']) => outcomeOf({ ...base, Caller, owedMs: null }, times).Caller.fair
  expect([fairOf(unreached), fairOf({ ...unreached, hasSpoken: true })]).toEqual([0, 0.25])
  expect(outcomeOf({ ...base, ...offered, Callee: unreached, owedMs: null }, times).Callee.fair).toBe(0)
})
