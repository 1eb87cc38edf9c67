import { randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { expect, onTestFinished, test } from 'vitest'
import { createEvidenceVault } from '../../../server/moderation/evidence-vault.ts'
import { createEvidence } from '../../../server/moderation/rules/evidence.ts'
import { fakeClock } from '../../support/fake-clock.ts'
import { confirmedCall } from '../../support/stores/confirmed-call.ts'
import { migratedFolder } from '../../support/stores/migrated.ts'
import type { Store } from '../../support/stores/store.ts'
import { openStore } from '../../support/stores/store.ts'

const MINUTE = 60_000
const picture = (text: string) => new Uint8Array(Buffer.from(text))

/** Evidence over a real store, with the people who are in it. */
async function evidenceForTest() {
  const folder = await migratedFolder()
  const clock = fakeClock(1_000_000_000)
  const running: Promise<unknown>[] = []
  let store = await openStore(folder, randomUUID)
  const vault = createEvidenceVault([{ id: 'k', secret: 'k'.repeat(32) }])
  let made = 0
  const start = (on: Store) =>
    createEvidence({
      records: on.evidence,
      vault,
      clock,
      newId: () => `evidence-${made++}`,
      runInBackground: (_what, work) => void running.push(work),
    })
  let evidence = start(store)
  onTestFinished(async () => {
    evidence.stop()
    await store.close()
    await rm(folder, { recursive: true })
  })
  const ids = new Map<string, string>()
  for (const name of ['ada', 'bob', 'eve']) {
    const identity = { provider: 'Google' as const, subject: name, email: `${name}@example.org` }
    ids.set(name, (await store.accounts.signIn({ ...identity, firstName: name, lastName: 'NA' }, 1)).id)
  }
  const id = (name: string) => ids.get(name) ?? ''
  const nameOf = (wanted: string | null) => [...ids].find(([, one]) => one === wanted)?.[0] ?? null

  const match = (session: string, caller: string, callee: string) =>
    store.matchRecords.open({
      id: session,
      caller: id(caller),
      callee: id(callee),
      startedAt: clock.now(),
      connected: true,
    })
  async function report(session: string, reporter: string, reported: string): Promise<void> {
    const facts = {
      session,
      reporter: id(reporter),
      reported: id(reported),
      at: clock.now(),
      callMs: 1,
      ...confirmedCall,
    }
    await store.reports.add({ ...facts, type: 'ReportOnly' })
    await evidence.linkReport(facts)
  }
  return {
    clock,
    id,
    match,
    report,
    evidence: () => evidence,
    store: () => store,
    end: (session: string) => store.matchRecords.close(session, clock.now(), null),
    upload: (uploader: string, text: string) =>
      evidence.addUpload({ uploader: id(uploader), userSession: `of ${uploader}`, jpeg: picture(text), print: null }),
    flag: (name: string, text: string) =>
      evidence.keepFlagged(id(name), [{ userSession: `of ${name}`, jpeg: picture(text), at: clock.now() }]),
    /** Moves time on and waits for what it set off. */
    async later(ms: number) {
      clock.advance(ms)
      await Promise.all(running)
    },
    async restart() {
      evidence.stop()
      await store.close()
      store = await openStore(folder, randomUUID)
      evidence = start(store)
      await evidence.sweep()
    },
    /** Everything there is about somebody, in words. */
    async about(name: string) {
      const facts = await store.evidence.list({ subject: id(name) })
      return Promise.all(
        facts.map(async (one) => {
          const found = await evidence.read(one.id)
          expect(found?.facts).toEqual(one)
          const text = found?.jpeg && Buffer.from(found.jpeg).toString()
          return [one.kind, one.session, nameOf(one.reporter), nameOf(one.uploader), text]
        }),
      )
    },
    waiting: async (session: string) => (await store.evidence.waitingIn(session)).length,
  }
}

test('pictures that arrive after the report show what their sender could see', async () => {
  const { match, report, upload, about, end } = await evidenceForTest()
  await match('m1', 'ada', 'bob')
  await report('m1', 'ada', 'bob')
  await end('m1')
  await upload('ada', 'what ada saw')
  await upload('bob', 'bob himself')
  expect(await about('bob')).toEqual([
    ['reporters-view', 'm1', 'ada', 'ada', 'what ada saw'],
    ['own-camera', 'm1', 'ada', 'bob', 'bob himself'],
  ])
  expect(await about('ada')).toEqual([])
})

test('pictures that arrive before the report wait for it', async () => {
  const { match, report, upload, about, waiting } = await evidenceForTest()
  await match('m1', 'ada', 'bob')
  await upload('ada', 'what ada saw')
  await upload('bob', 'bob himself')
  expect([await about('bob'), await about('ada'), await waiting('m1')]).toEqual([[], [], 2])
  await report('m1', 'ada', 'bob')
  const found = await about('bob')
  expect(new Set(found.map(([kind]) => kind))).toEqual(new Set(['reporters-view', 'own-camera']))
  expect(await waiting('m1')).toBe(0)
})

test('a picture without a report is deleted after two minutes, and a later report does not get it', async () => {
  const { match, report, upload, about, waiting, later } = await evidenceForTest()
  await match('m1', 'ada', 'bob')
  await upload('ada', 'what ada saw')
  await later(MINUTE)
  await upload('bob', 'bob himself')
  await later(MINUTE - 1)
  expect(await waiting('m1')).toBe(2)
  await later(1)
  expect(await waiting('m1')).toBe(1)
  await later(MINUTE)
  expect(await waiting('m1')).toBe(0)
  await report('m1', 'ada', 'bob')
  expect(await about('bob')).toEqual([])
})

test('a waiting picture is deleted in time after a restart too', async () => {
  const { match, upload, waiting, later, restart, clock } = await evidenceForTest()
  await match('m1', 'ada', 'bob')
  await upload('ada', 'what ada saw')
  await later(MINUTE)
  await restart()
  await later(MINUTE - 1)
  expect(await waiting('m1')).toBe(1)
  await later(1)
  expect(await waiting('m1')).toBe(0)
  await upload('ada', 'what ada saw')
  clock.advance(0)
  await restart()
  await later(2 * MINUTE)
  expect(await waiting('m1')).toBe(0)
})

test('of a user without a match in the last two minutes nothing is kept', async () => {
  const { match, end, upload, store, id, later } = await evidenceForTest()
  await upload('ada', 'nobody')
  await match('m1', 'ada', 'bob')
  await end('m1')
  await later(2 * MINUTE + 1)
  await upload('ada', 'nobody')
  const kept = await Promise.all(['m1', 'm2'].map((session) => store().evidence.waitingIn(session)))
  expect([kept.flat(), await store().evidence.list({ account: id('ada') })]).toEqual([[], []])
})

test('a report from more than two minutes ago gets no picture', async () => {
  const { match, report, upload, about, later, waiting } = await evidenceForTest()
  await match('m1', 'ada', 'bob')
  await report('m1', 'ada', 'bob')
  await later(2 * MINUTE + 1)
  await upload('ada', 'too late')
  expect([await about('bob'), await waiting('m1')]).toEqual([[], 1])
})

test('a report gets one picture of each of the two users, and none of others', async () => {
  const { match, report, upload, about, waiting } = await evidenceForTest()
  await match('m1', 'ada', 'bob')
  await match('m2', 'eve', 'ada')
  await upload('eve', 'of another match')
  await upload('bob', 'bob himself')
  await upload('bob', 'bob again')
  expect(await waiting('m1')).toBe(1)
  await report('m1', 'ada', 'bob')
  await upload('bob', 'bob once more')
  expect(await about('bob')).toEqual([['own-camera', 'm1', 'ada', 'bob', 'bob himself']])
  expect(await waiting('m2')).toBe(1)
})

test('a picture that arrives after the next match has begun belongs to the earlier one', async () => {
  const { match, report, upload, about, end, later } = await evidenceForTest()
  await match('m1', 'ada', 'bob')
  await report('m1', 'ada', 'bob')
  await end('m1')
  await later(10_000)
  await match('m2', 'ada', 'eve')
  await upload('ada', 'what ada saw')
  expect(await about('bob')).toEqual([['reporters-view', 'm1', 'ada', 'ada', 'what ada saw']])
})

test('of two reports that lack a picture the newer one gets it', async () => {
  const { match, report, upload, about, end, later } = await evidenceForTest()
  await match('m1', 'ada', 'bob')
  await report('m1', 'ada', 'bob')
  await end('m1')
  await later(1_000)
  await match('m2', 'ada', 'eve')
  await report('m2', 'ada', 'eve')
  await upload('ada', 'what ada saw')
  expect(await about('bob')).toEqual([])
  expect(await about('eve')).toEqual([['reporters-view', 'm2', 'ada', 'ada', 'what ada saw']])
})

test('a report and pictures that arrive at the same time are joined, once', async () => {
  const { match, report, upload, about, end, later } = await evidenceForTest()
  for (const session of ['m1', 'm2', 'm3', 'm4', 'm5', 'm6']) {
    await match(session, 'ada', 'bob')
    const events = [() => upload('ada', session), () => report(session, 'ada', 'bob'), () => upload('ada', session)]
    await Promise.all((session < 'm4' ? events : events.reverse()).map((event) => event()))
    expect((await about('bob')).filter(([, of]) => of === session)).toHaveLength(1)
    // Nobody is in two matches at once.
    await end(session)
    await later(1_000)
  }
})

test('a picture of one match is no evidence in a report of another', async () => {
  const { match, report, upload, about, end, later } = await evidenceForTest()
  await match('m1', 'ada', 'bob')
  await upload('ada', 'ada with bob')
  await end('m1')
  await later(1_000)
  await match('m2', 'eve', 'ada')
  await report('m2', 'eve', 'ada')
  expect(await about('ada')).toEqual([])
  await upload('ada', 'ada with eve')
  expect(await about('ada')).toEqual([['own-camera', 'm2', 'eve', 'ada', 'ada with eve']])
})

test('evidence that was altered in the store is detected, and shows no picture', async () => {
  const { flag, store, id, evidence } = await evidenceForTest()
  await flag('bob', 'bob')
  const [facts] = await store().evidence.list({ subject: id('bob') })
  const sealed = facts && (await store().evidence.find(facts.id))
  if (!sealed) throw new Error('there is no evidence')
  await store().evidence.deleteFor({ subject: id('bob') })
  await store().evidence.add({ ...sealed, subject: id('eve') })
  expect(await evidence().read(sealed.id)).toEqual({ facts: { ...facts, subject: id('eve') }, jpeg: null })
  expect(await evidence().read('none')).toBeNull()
})

test('evidence is deleted after the review, with its account, and when it expires', async () => {
  const { match, report, upload, flag, about, store, id, clock } = await evidenceForTest()
  await match('m1', 'ada', 'bob')
  await report('m1', 'ada', 'bob')
  await upload('ada', 'what ada saw')
  await flag('bob', 'flagged')
  await flag('eve', 'flagged')
  clock.advance(1)
  await flag('eve', 'later')
  const { evidence } = store()
  expect((await evidence.list({ account: id('ada') })).map(({ kind }) => kind)).toEqual(['reporters-view'])
  await evidence.deleteFor({ session: 'm1' })
  expect(await about('bob')).toEqual([['flagged', null, null, 'bob', 'flagged']])
  expect(await evidence.expire(clock.now())).toBe(2)
  expect(await about('eve')).toEqual([['flagged', null, null, 'eve', 'later']])
  await upload('ada', 'what ada saw')
  await evidence.deleteFor({ account: id('ada') })
  await evidence.deleteFor({ subject: id('eve') })
  const left = await Promise.all(['ada', 'bob', 'eve'].map((name) => evidence.list({ account: id(name) })))
  expect(left.flat()).toEqual([])
})

test('signals are returned newest first until they expire', async () => {
  const { store, id } = await evidenceForTest()
  const { signals } = store()
  const signal = {
    from: 1,
    expected: 9,
    came: 1,
    black: 0,
    changed: 0,
    longestGapMs: 80_000,
    sameFrameRepeated: 1,
    suspicious: 2,
  }
  for (const at of [10, 30, 20]) await signals.add({ ...signal, accountId: id('ada'), at })
  expect(await signals.of(id('ada'), 2)).toEqual([30, 20].map((at) => ({ ...signal, accountId: id('ada'), at })))
  expect(await signals.expire(20)).toBe(1)
  expect((await signals.of(id('ada'), 9)).map(({ at }) => at)).toEqual([30, 20])
  expect(await signals.of(id('bob'), 9)).toEqual([])
})
