import { randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { mayChat } from '#protocol/block-status.ts'
import { DAY_MS } from '#protocol/durations.ts'
import { AppError } from '#protocol/errors.ts'
import { type Verdict, verdictSchema } from '#protocol/moderation.ts'
import { sized } from '../../../scripts/test-limits.ts'
import { readConfig } from '../../../server/config/config.ts'
import { createModeration, type Moderation } from '../../../server/moderation/rules/moderation.ts'
import { mayChange } from '../../../server/moderation/rules/status-table.ts'
import { confirmedCall } from '../../support/stores/confirmed-call.ts'
import { migratedFolder } from '../../support/stores/migrated.ts'
import { settledByAge } from '../../support/stores/settled-people.ts'
import type { Store } from '../../support/stores/store.ts'
import { openStore } from '../../support/stores/store.ts'

/** Random sequences of everything that moderation handles, over the real records. */

const names = ['ann', 'bob', 'cid', 'dot', 'eve', 'fay'] as const
const { moderation: policy } = readConfig(settledByAge)

let folder: string
let store: Store
beforeAll(async () => {
  folder = await migratedFolder()
  store = await openStore(folder, randomUUID)
})
afterAll(async () => {
  await store.close()
  await rm(folder, { recursive: true })
})

type World = {
  moderation: Moderation
  ids: string[]
  suspended: Set<string>
  now: number
  matches: number
}

async function newWorld(): Promise<World> {
  const run = randomUUID()
  const ids = await Promise.all(
    names.map(async (name, index) => {
      const subject = `${name} ${run}`
      const identity = { provider: 'Google', subject, email: `${name}@example.org`, firstName: name } as const
      return (await store.accounts.signIn({ ...identity, lastName: 'NA' }, index * DAY_MS)).id
    }),
  )
  const suspended = new Set<string>()
  const world = { ids, suspended, now: 1_000 * DAY_MS, matches: 0 }
  const moderation = createModeration({
    ...store,
    clock: { now: () => world.now },
    policy,
    digest: (text) => `${run} ${text}`,
    onChanged: () => undefined,
    onSuspended: (id) => void suspended.add(id),
    sendEmail: true,
  })
  return Object.assign(world, { moderation })
}

/** Ignores `wrong-state`; any other error fails the test. */
async function unlessRefused(work: Promise<unknown>): Promise<void> {
  await work.catch((error: unknown) => {
    if (!(error instanceof AppError && error.code === 'wrong-state')) throw error
  })
}

type Action = (world: World) => Promise<void>
const person = fc.nat(names.length - 1)
const idOf = (world: World, index: number) => world.ids[index] ?? ''

const report = fc.record({ by: person, about: person, callMs: fc.option(fc.nat(100_000)) }).map(
  ({ by, about, callMs }): Action =>
    async (world) => {
      if (by === about) return
      world.now += 1
      world.matches += 1
      const [reporter, reported] = [idOf(world, by), idOf(world, about)]
      const session = `${reporter} ${world.matches}`
      await world.moderation.recordReport({
        session,
        reporter,
        reported,
        type: 'ReportOnly',
        callMs,
        ...confirmedCall,
        at: world.now,
      })
      await world.moderation.judge(reported)
    },
)

const findingOf =
  (user: number, score: number): Action =>
  (world) =>
    world.moderation.recordFinding(idOf(world, user), { session: 's', label: 'Porn', score, at: world.now })
const finding = fc
  .record({ user: person, score: fc.constantFrom(0.5, 0.9) })
  .map(({ user, score }) => findingOf(user, score))

const appealOf =
  (user: number): Action =>
  (world) =>
    unlessRefused(world.moderation.appeal(idOf(world, user)))
const appeal = person.map(appealOf)

const daysOf =
  (count: number): Action =>
  async (world) => {
    world.now += count * DAY_MS
    await world.moderation.runUpkeep()
  }
const days = fc.constantFrom(1, 5, 11, 31).map(daysOf)

/** A suspension and an appeal that nobody decides in time, which single actions rarely produce. */
const lateReview = person.map((user) => [findingOf(user, 0.9), findingOf(user, 0.9), appealOf(user), daysOf(11)])

const signIn = person.map(
  (user): Action =>
    (world) =>
      world.moderation.admit(idOf(world, user), { address: '203.0.113.7', device: 'a phone' }),
)

const automatic = [
  { weight: 8, arbitrary: report },
  { weight: 3, arbitrary: finding },
  { weight: 2, arbitrary: appeal },
  { weight: 2, arbitrary: days },
  { weight: 1, arbitrary: signIn },
]

const decisionOf =
  (user: number, verdict: Verdict): Action =>
  (world) =>
    unlessRefused(
      world.moderation.decide(idOf(world, user), { moderator: 'mo', verdict, rule: 'be-respectful', reason: 'seen' }),
    )
const decision = fc
  .record({ user: person, verdict: fc.constantFrom<Verdict>(...verdictSchema.options) })
  .map(({ user, verdict }) => decisionOf(user, verdict))

const minorOf =
  (user: number): Action =>
  (world) =>
    world.moderation.banMinor(idOf(world, user))
const minor = person.map(minorOf)
/** A moderator restores a minor, which single actions rarely produce. */
const restoredMinor = person.map((user) => [minorOf(user), decisionOf(user, 'restore')])

const inOrder = (single: typeof automatic, ways: fc.Arbitrary<Action[]>, minLength: number) =>
  fc
    .array(fc.oneof({ weight: 7, arbitrary: fc.oneof(...single).map((action) => [action]) }, ways), {
      minLength,
      maxLength: 30,
      size: 'max',
    })
    .map((parts) => parts.flat())
const anyAutomatic = inOrder(automatic, lateReview, 10)
const any = inOrder(
  [...automatic, { weight: 4, arbitrary: decision }, { weight: 1, arbitrary: minor }],
  fc.oneof(lateReview, restoredMinor),
  5,
)

test('no sequence of automatic actions blocks a user', async () => {
  await fc.assert(
    fc.asyncProperty(anyAutomatic, async (actions) => {
      const world = await newWorld()
      for (const act of actions) await act(world)
      for (const id of world.ids) expect((await store.accounts.find(id))?.status).not.toBe('Blocked')
    }),
    { numRuns: sized(4, 16), endOnFailure: true },
  )
})

test('in any order every transition is in the table and recorded, a minor stays blocked, and onSuspended runs for users who may not chat', async () => {
  await fc.assert(
    fc.asyncProperty(any, async (actions) => {
      const world = await newWorld()
      for (const act of actions) await act(world)
      for (const id of world.ids) {
        const history = (await store.cases.history(id)).reverse()
        let status = 'Valid'
        let lastChange: (typeof history)[number] | null = null
        for (const change of history) {
          expect(change.from).toBe(status)
          expect(mayChange(change.from, change.to, change.by.kind, lastChange?.rule ?? null)).toBe(true)
          expect(change.reason).not.toBe('')
          expect(change.until === null).toBe(change.to === 'Valid' || change.to === 'Blocked')
          status = change.to
          lastChange = change
        }
        expect((await store.accounts.find(id))?.status).toBe(status)
        if (history.some(({ by }) => by.kind === 'age')) expect(status).toBe('Blocked')
        if (history.some(({ to }) => !mayChat(to))) expect(world.suspended.has(id)).toBe(true)
        expect((await world.moderation.blockCase(id)) === null).toBe(status === 'Valid')
      }
    }),
    { numRuns: sized(5, 20), endOnFailure: true },
  )
})
