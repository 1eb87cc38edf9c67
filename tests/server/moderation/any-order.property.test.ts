import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { DAY_MS } from '#protocol/durations.ts'
import { AppError } from '#protocol/errors.ts'
import { mayChat } from '#protocol/fields.ts'
import { type Verdict, verdictSchema } from '#protocol/moderation.ts'
import { readConfig } from '../../../server/config/config.ts'
import { createModeration, type Moderation } from '../../../server/moderation/rules/moderation.ts'
import { mayChange } from '../../../server/moderation/rules/status-table.ts'
import { confirmedCall } from '../../support/stores/confirmed-call.ts'
import { settledByAge } from '../../support/stores/settled-people.ts'
import type { Store } from '../../support/stores/store.ts'
import { openStore } from '../../support/stores/store.ts'

/** Everything that may happen to people, in any order, over the real records. */

const names = ['ann', 'bob', 'cid', 'dot', 'eve', 'fay'] as const
const { moderation: policy } = readConfig(settledByAge)

let folder: string
let store: Store
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'moderation-test-'))
  store = await openStore(folder, randomUUID)
})
afterAll(async () => {
  await store.close()
  await rm(folder, { recursive: true })
})

type World = {
  moderation: Moderation
  ids: string[]
  shutOut: Set<string>
  now: number
  sessions: number
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
  const shutOut = new Set<string>()
  const world = { ids, shutOut, now: 1_000 * DAY_MS, sessions: 0 }
  const moderation = createModeration({
    ...store,
    clock: { now: () => world.now },
    policy,
    digest: (text) => `${run} ${text}`,
    shutOut: (id) => void shutOut.add(id),
    mails: true,
  })
  return Object.assign(world, { moderation })
}

/** What was asked for may be refused, but never fail. */
async function unlessRefused(work: Promise<unknown>): Promise<void> {
  await work.catch((error: unknown) => {
    if (!(error instanceof AppError && error.code === 'wrong-state')) throw error
  })
}

type Happening = (world: World) => Promise<void>
const person = fc.nat(names.length - 1)
const idOf = (world: World, index: number) => world.ids[index] ?? ''

const report = fc.record({ by: person, whom: person, callMs: fc.option(fc.nat(100_000)) }).map(
  ({ by, whom, callMs }): Happening =>
    async (world) => {
      if (by === whom) return
      world.now += 1
      world.sessions += 1
      const [reporter, reported] = [idOf(world, by), idOf(world, whom)]
      const session = `${reporter} ${world.sessions}`
      await world.moderation.takeReport({
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

const finding = fc.record({ whom: person, score: fc.constantFrom(0.5, 0.9) }).map(
  ({ whom, score }): Happening =>
    (world) =>
      world.moderation.flagged(idOf(world, whom), { session: 's', label: 'Porn', score, at: world.now }),
)

const appeal = person.map(
  (whom): Happening =>
    (world) =>
      unlessRefused(world.moderation.appeal(idOf(world, whom))),
)

const days = fc.constantFrom(1, 5, 11, 31).map(
  (count): Happening =>
    async (world) => {
      world.now += count * DAY_MS
      await world.moderation.keepUp()
    },
)

const sign = person.map(
  (whom): Happening =>
    (world) =>
      world.moderation.admit(idOf(world, whom), { address: '203.0.113.7', device: 'a phone' }),
)

const automatic = [
  { weight: 8, arbitrary: report },
  { weight: 3, arbitrary: finding },
  { weight: 2, arbitrary: appeal },
  { weight: 2, arbitrary: days },
  { weight: 1, arbitrary: sign },
]

const decision = fc.record({ whom: person, verdict: fc.constantFrom<Verdict>(...verdictSchema.options) }).map(
  ({ whom, verdict }): Happening =>
    (world) =>
      unlessRefused(
        world.moderation.decide(idOf(world, whom), { moderator: 'mo', verdict, rule: 'be-respectful', reason: 'seen' }),
      ),
)

const minor = person.map(
  (whom): Happening =>
    (world) =>
      world.moderation.banMinor(idOf(world, whom)),
)

const any = fc.array(fc.oneof(...automatic, { weight: 4, arbitrary: decision }, { weight: 1, arbitrary: minor }), {
  minLength: 5,
  maxLength: 40,
  size: 'max',
})

test('no order of what happens by itself blocks anybody', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.oneof(...automatic), { minLength: 10, maxLength: 40, size: 'max' }),
      async (happenings) => {
        const world = await newWorld()
        for (const happen of happenings) await happen(world)
        for (const id of world.ids) expect((await store.accounts.find(id))?.status).not.toBe('Blocked')
      },
    ),
    { numRuns: 15 },
  )
})

test('in any order every step is in the table and recorded, a minor stays blocked, and who may not chat was shut out', async () => {
  await fc.assert(
    fc.asyncProperty(any, async (happenings) => {
      const world = await newWorld()
      for (const happen of happenings) await happen(world)
      for (const id of world.ids) {
        const history = (await store.cases.history(id)).reverse()
        let status = 'Valid'
        let standing: (typeof history)[number] | null = null
        for (const step of history) {
          expect(step.from).toBe(status)
          expect(mayChange(step.from, step.to, step.by.kind, standing?.rule ?? null)).toBe(true)
          expect(step.reason).not.toBe('')
          expect(step.until === null).toBe(step.to === 'Valid' || step.to === 'Blocked')
          status = step.to
          standing = step
        }
        expect((await store.accounts.find(id))?.status).toBe(status)
        if (history.some(({ by }) => by.kind === 'age')) expect(status).toBe('Blocked')
        if (history.some(({ to }) => !mayChat(to))) expect(world.shutOut.has(id)).toBe(true)
        expect((await world.moderation.blockCase(id)) === null).toBe(status === 'Valid')
      }
    }),
    { numRuns: 25 },
  )
})
