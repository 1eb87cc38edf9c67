import { expect, test } from 'vitest'
import type { BlockStatus } from '#protocol/block-status.ts'
import { DAY_MS } from '#protocol/durations.ts'
import { blockStatusSchema, verdictSchema } from '#protocol/moderation.ts'
import { readConfig } from '../../../../server/config/config.ts'
import type { ActorKind, StatusChange } from '../../../../server/moderation/rules/ports.ts'
import {
  endOf,
  isForBirthAlone,
  mayChange,
  statusTable,
  transitionWhenDue,
} from '../../../../server/moderation/rules/status-table.ts'
import { countsSince, noticeAfter, outcomeOf, statusAfterVerdict } from '../../../../server/moderation/rules/verdict.ts'

const { moderation: policy } = readConfig({})
const statuses = blockStatusSchema.options

function change(to: BlockStatus, kind: ActorKind, given: Partial<StatusChange> = {}): StatusChange {
  const why = { what: 'reports', rule: 'guidelines', reason: 'test' } as const
  return { accountId: 'ada', from: 'Valid', to, by: { kind, id: null }, ...why, at: 7, until: null, ...given }
}

test('automatic transitions block only minors and people who were blocked before', () => {
  const causes = statusTable.filter(({ to }) => to === 'Blocked').flatMap(({ by }) => by)
  expect(new Set(causes)).toEqual(new Set(['age', 'ban', 'moderator']))
})

test('a user can only appeal against a suspension', () => {
  const steps = statusTable.filter(({ by }) => by.includes('user')).map(({ from, to }) => [from, to])
  expect(steps).toEqual([['Appeal', 'InReview']])
})

test('only a corrected date of birth restores a blocked minor', () => {
  const kinds: ActorKind[] = ['policy', 'classifier', 'user', 'moderator', 'age', 'ban', 'earlier-case', 'time']
  const steps = statuses.flatMap((to) => kinds.map((by) => ({ to, by })))
  const possible = steps.filter(({ to, by }) => mayChange('Blocked', to, by, 'adults-only'))
  expect(possible).toEqual([{ to: 'Valid', by: 'age' }])
  expect(mayChange('Blocked', 'Valid', 'moderator', 'no-scams')).toBe(true)
})

test.each([
  ['Valid', 'age', 'adults-only', true],
  ['Warning', 'ban', 'adults-only', true],
  ['Appeal', 'age', 'adults-only', false],
  ['Blocked', 'age', 'adults-only', false],
  ['Valid', 'moderator', 'adults-only', false],
  ['Valid', 'ban', 'no-scams', false],
] as const)('a block after %s by %s for %s is for the date of birth alone: %s', (from, kind, rule, is) => {
  expect(isForBirthAlone(change('Blocked', kind, { from, rule }))).toBe(is)
})

test('each kind of actor may cause its own transitions, and no others', () => {
  const keepOut = ['Valid Blocked', 'Warning Blocked', 'Appeal Blocked', 'InReview Blocked']
  const allowed: Record<ActorKind, string[]> = {
    policy: ['Valid Warning', 'Valid Appeal', 'Warning Appeal'],
    classifier: ['Valid Appeal', 'Warning Appeal'],
    time: ['Warning Valid', 'Appeal Warning', 'InReview Warning'],
    user: ['Appeal InReview'],
    age: [...keepOut, 'Blocked Blocked'],
    ban: keepOut,
    'earlier-case': ['Valid Warning', 'Valid Appeal', 'Valid InReview'],
    moderator: [
      ...['Valid Warning', 'Valid Appeal', 'Warning Valid', 'Warning Warning', 'Warning Appeal', 'Appeal Valid'],
      ...['Appeal Warning', 'Appeal Appeal', 'InReview Valid', 'InReview Warning', 'InReview Appeal', 'Blocked Valid'],
      ...keepOut,
    ],
  }
  for (const [by, steps] of Object.entries(allowed) as [ActorKind, string[]][]) {
    const taken = statuses.flatMap((from) =>
      statuses.filter((to) => mayChange(from, to, by, null)).map((to) => `${from} ${to}`),
    )
    expect(taken.sort(), by).toEqual(steps.sort())
  }
})

test('dismiss and restore dismiss the reports, all other verdicts uphold them', () => {
  const outcomes = verdictSchema.options.map((verdict) => [verdict, outcomeOf(verdict)])
  expect(Object.fromEntries(outcomes)).toEqual({
    dismiss: 'dismissed',
    warn: 'upheld',
    suspend: 'upheld',
    block: 'upheld',
    restore: 'dismissed',
  })
})

test('every verdict leads to a transition that a moderator may cause, or to none', () => {
  for (const verdict of verdictSchema.options)
    for (const status of statuses)
      for (const lastChange of [null, change(status, 'policy'), change(status, 'moderator')]) {
        const to = statusAfterVerdict(verdict, status, lastChange)
        if (to && !(verdict === 'dismiss' && to === status)) expect(mayChange(status, to, 'moderator', null)).toBe(true)
      }
})

test('verdicts by status', () => {
  const table = Object.fromEntries(
    verdictSchema.options.map((verdict) => [
      verdict,
      statuses.map((status) => statusAfterVerdict(verdict, status, change(status, 'policy'))),
    ]),
  )
  expect(statuses).toEqual(['Valid', 'Warning', 'Appeal', 'InReview', 'Blocked'])
  expect(table).toEqual({
    dismiss: ['Valid', 'Valid', 'Valid', 'Valid', null],
    warn: ['Warning', 'Warning', 'Warning', 'Warning', null],
    suspend: ['Appeal', 'Appeal', 'Appeal', 'Appeal', null],
    block: ['Blocked', 'Blocked', 'Blocked', 'Blocked', null],
    restore: [null, 'Valid', 'Valid', 'Valid', 'Valid'],
  })
  expect(statusAfterVerdict('dismiss', 'Warning', change('Warning', 'moderator'))).toBe('Warning')
})

test('a warning ends as configured, suspension and review after ten days, a block never', () => {
  expect(statuses.map((status) => endOf(status, 0, policy))).toEqual([
    null,
    30 * DAY_MS,
    10 * DAY_MS,
    10 * DAY_MS,
    null,
  ])
})

test('a status that ends by itself ends in a transition that time may cause', () => {
  const ends = statuses.map((status) => transitionWhenDue(change(status, 'policy')))
  expect(ends.map((step) => step && [step.to, step.what, step.notice])).toEqual([
    null,
    ['Valid', 'reports', null],
    ['Warning', 'reports', 'ended'],
    ['Warning', 'review-late', 'late'],
    null,
  ])
  for (const [index, step] of ends.entries())
    if (step) expect(mayChange(statuses[index] ?? 'Valid', step.to, step.by, null)).toBe(true)
})

test('only users who could not chat receive a notice of the outcome', () => {
  const notices = statuses.map((from) => statuses.map((to) => noticeAfter(from, to)))
  expect(notices[0]).toEqual([null, null, null, null, null])
  expect(notices[1]).toEqual([null, null, null, null, null])
  for (const row of notices.slice(2)) expect(row).toEqual(['restored', 'warned', 'suspended', null, 'blocked'])
})

test('reports count since the last change by a moderator or by time, not by the policy', () => {
  const history = (...changes: StatusChange[]) => countsSince(changes)
  expect(history()).toBe(0)
  expect(history(change('Warning', 'policy'))).toBe(0)
  expect(history(change('Appeal', 'moderator'))).toBe(0)
  expect(history(change('Appeal', 'policy', { at: 9 }), change('Warning', 'time', { at: 5 }))).toBe(6)
  expect(history(change('Valid', 'moderator', { at: 5 }))).toBe(6)
})
