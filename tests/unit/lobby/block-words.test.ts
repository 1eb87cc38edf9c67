import { describe, expect, test } from 'vitest'
import type { OfferedLanguage } from '#protocol/languages.ts'
import { type Cause, causeSchema, type NextStep, type ReviewOutcome } from '#protocol/moderation.ts'
import type { ActorKind, StatusChange } from '../../../server/moderation/rules/ports.ts'
import { blockCaseOf, statusTable, transitionWhenDue } from '../../../server/moderation/rules/status-table.ts'
import { blockWords, caseWords, type RestrictedStatus } from '../../../src/lobby/screens/block-words.ts'
import { loadTexts } from '../../../src/platform/texts/catalogue.ts'

type Pair = `${RestrictedStatus} ${Cause}`

/** Causes that an actor gives to a change by itself; `user`, `time` and `earlier-case` go on with an earlier one. */
const ownCauses: Partial<Record<ActorKind, Cause>> = {
  policy: 'reports',
  classifier: 'frames',
  moderator: 'moderator',
  age: 'age',
  ban: 'earlier-ban',
}

function changeTo(to: RestrictedStatus, what: Cause): StatusChange {
  const by = { kind: 'policy', id: null } as const
  return { accountId: 'a', from: 'Valid', to, by, what, rule: 'guidelines', reason: '', at: 0, until: null }
}

function causesAfter(pairs: ReadonlySet<Pair>, from: string, by: ActorKind): Cause[] {
  const own = ownCauses[by]
  if (own) return [own]
  const earlier = causeSchema.options.filter((what) => pairs.has(`${from as RestrictedStatus} ${what}`))
  if (by === 'user') return earlier
  if (by !== 'time') return []
  return earlier.flatMap((what) => transitionWhenDue(changeTo(from as RestrictedStatus, what))?.what ?? [])
}

/** Every status that restricts, with every cause that leads to it by the table of statuses. */
function reachablePairs(): Map<Pair, NextStep> {
  const pairs = new Set<Pair>()
  for (let before = -1; before < pairs.size; ) {
    before = pairs.size
    for (const { from, to, by } of statusTable) {
      if (to === 'Valid') continue
      for (const actor of by) for (const what of causesAfter(pairs, from, actor)) pairs.add(`${to} ${what}`)
    }
  }
  return new Map(
    [...pairs].sort().flatMap((pair) => {
      const [status, what] = pair.split(' ') as [RestrictedStatus, Cause]
      const known = blockCaseOf(changeTo(status, what))
      return known ? [[pair, known.next] as const] : []
    }),
  )
}

const pairs = reachablePairs()

/** Words that name a cause, and are in no sentence about another one. */
const marks: Record<OfferedLanguage, Record<Cause | 'repeated', RegExp>> = {
  en: {
    reports: /\breport/i,
    frames: /automatic check|explicit/i,
    age: /date of birth/i,
    moderator: /a moderator (decided|looked)|^A moderator\.$/i,
    'earlier-ban': /\bbefore\b/i,
    'review-late': /did not review|in time/i,
    repeated: /repeated/i,
  },
  es: {
    reports: /denuncia/i,
    frames: /control automático|explícito/i,
    age: /fecha de nacimiento/i,
    moderator: /un moderador (decidi|revisó)|^Un moderador\.$/i,
    'earlier-ban': /\b(antes|anterior)\b/i,
    'review-late': /no revisamos|a tiempo/i,
    repeated: /repetido/i,
  },
}

test('the statuses and causes that the server can produce', () => {
  expect([...pairs.keys()]).toEqual([
    'Appeal frames',
    'Appeal moderator',
    'Appeal reports',
    'Blocked age',
    'Blocked earlier-ban',
    'Blocked moderator',
    'InReview frames',
    'InReview moderator',
    'InReview reports',
    'Warning frames',
    'Warning moderator',
    'Warning reports',
    'Warning review-late',
  ])
})

describe.each(['en', 'es'] as const)('in %s', (language) => {
  const named = async () => {
    const [dashboard, cases] = [await loadTexts(language, 'dashboard'), await loadTexts(language, 'cases')]
    return (key: string) => String({ ...dashboard, ...cases }[key])
  }
  const namesOtherThan = (sentence: string, cause: Cause) =>
    Object.entries(marks[language]).flatMap(([name, mark]) => (name !== cause && mark.test(sentence) ? [name] : []))

  test.each([...pairs.keys()])('%s: the panel names this cause and no other', async (pair) => {
    const [status, what] = pair.split(' ') as [RestrictedStatus, Cause]
    const text = await named()
    const words = blockWords(status, what)
    expect(text(words.text)).toMatch(marks[language][what])
    for (const key of [words.title, words.text]) expect([key, namesOtherThan(text(key), what)]).toEqual([key, []])
  })

  test.each([...pairs])('%s: the facts say what happened and who decided, of no other cause', async (pair, next) => {
    const [, what] = pair.split(' ') as [RestrictedStatus, Cause]
    const text = await named()
    for (const rule of ['guidelines', 'be-respectful'] as const) {
      const facts = new Map<string, string>(caseWords({ what, rule, next }))
      expect([...facts.keys()]).toEqual(['cases.what', 'cases.who', 'cases.rule', 'cases.next'])
      for (const term of ['cases.what', 'cases.who']) expect(text(facts.get(term) ?? '')).toMatch(marks[language][what])
      for (const term of ['cases.what', 'cases.who', 'cases.rule']) {
        const key = facts.get(term) ?? ''
        expect([key, namesOtherThan(text(key), what)]).toEqual([key, []])
      }
    }
  })

  test('a status with a cause that does not lead to it names none', async () => {
    const text = await named()
    const all = (['Warning', 'Appeal', 'InReview', 'Blocked'] as const).flatMap((status) =>
      causeSchema.options.map((what) => [status, what, `${status} ${what}`] as const),
    )
    for (const [status, what, pair] of all) {
      if (pairs.has(pair) || pair === 'Blocked reports') continue
      const words = text(blockWords(status, what).text)
      const found = Object.entries(marks[language]).flatMap(([name, mark]) => (mark.test(words) ? [name] : []))
      expect([pair, found]).toEqual([pair, []])
    }
  })

  test.each([
    ['suspended', /moderador|moderator/],
    ['blocked', /moderador|moderator/],
    ['restored', /moderador|moderator/],
    ['warned', /moderador|moderator/],
  ] as const satisfies [ReviewOutcome, RegExp][])('the end of a review (%s) says who decided', async (outcome, who) => {
    const text = await named()
    expect(text(`cases.outcome.${outcome}.text`)).toMatch(who)
  })

  test.each(['ended', 'late'] as const)('an end by time (%s) speaks of no decision', async (outcome) => {
    const text = await named()
    expect(text(`cases.outcome.${outcome}.text`)).not.toMatch(/moderador|moderator|decid/i)
  })

  test('a server that sends no case: the words about reports (docs/product.md STATUS-6)', async () => {
    const text = await named()
    for (const status of ['Warning', 'Appeal', 'InReview'] as const)
      expect(text(blockWords(status, null).text)).toMatch(marks[language].reports)
    expect(blockWords('Blocked', null).text).toBe('dashboard.blocked.text')
  })
})
