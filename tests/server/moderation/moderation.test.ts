import { expect, test } from 'vitest'
import { DAY_MS, HOUR_MS } from '#protocol/durations.ts'
import { caseWorld } from '../../support/moderation/case-world.ts'
import { confirmedCall } from '../../support/stores/confirmed-call.ts'

const refused = { code: 'wrong-state' }

test('dismissed reports lower the weight of later reports by the same reporter, upheld reports raise it', async () => {
  const { report, account, decide, statusOf, store, clock } = await caseWorld()
  for (const name of ['a', 'b', 'c']) {
    clock.at += DAY_MS
    await report('liar', name)
    await decide(await account(name), 'dismiss')
    await report('witness', name)
    await decide(await account(name), 'warn')
  }
  const bad = await account('bad')
  clock.at += DAY_MS
  await report('liar', 'bad')
  await report('ann', 'bad')
  expect(await statusOf(bad)).toBe('Valid')
  const [lies, plain] = await store.reports.open(bad, 0)
  expect([lies?.credit, lies?.dismissed, plain?.credit, plain?.dismissed]).toEqual([0, 3, 0, 0])
  await report('witness', 'bad')
  expect(await statusOf(bad)).toBe('Warning')
})

test('reports older than the window, and decided reports, do not count', async () => {
  const { report, account, decide, statusOf, clock } = await caseWorld()
  const bad = await account('bad')
  await report('ann', 'bad')
  clock.at += 31 * DAY_MS
  await report('bob', 'bad')
  expect(await statusOf(bad)).toBe('Valid')
  await report('cid', 'bad')
  expect(await statusOf(bad)).toBe('Warning')
  await decide(bad, 'warn')
  for (const name of ['dot', 'eve', 'fay']) await report(name, 'bad')
  expect(await statusOf(bad)).toBe('Warning')
  await report('gus', 'bad')
  expect(await statusOf(bad)).toBe('Appeal')
})

test('reports from before a suspension that ended by itself do not count again', async () => {
  const { report, account, statusOf, clock, moderation } = await caseWorld()
  const bad = await account('bad')
  for (const name of ['ann', 'bob', 'cid', 'dot']) await report(name, 'bad')
  expect(await statusOf(bad)).toBe('Appeal')
  clock.at += 10 * DAY_MS
  await moderation.runUpkeep()
  expect(await statusOf(bad)).toBe('Warning')
  await report('eve', 'bad')
  expect(await statusOf(bad)).toBe('Warning')
})

test('findings within the window suspend until a moderator has reviewed them; findings of low score, or old ones, do not', async () => {
  const { find, account, statusOf, clock, suspended, moderation, decide } = await caseWorld()
  const bad = await account('bad')
  await find('bad')
  await find('bad', 0.79)
  await find('bad', 0.1)
  clock.at += 25 * HOUR_MS
  await find('bad')
  expect(await statusOf(bad)).toBe('Valid')
  await find('bad')
  expect(await statusOf(bad)).toBe('Appeal')
  expect(suspended).toEqual([bad])
  expect(await moderation.blockCase(bad)).toMatchObject({ what: 'frames', rule: 'no-explicit-content' })
  for (let more = 0; more < 20; more += 1) await find('bad')
  expect(await statusOf(bad)).toBe('Appeal')
  await decide(bad, 'dismiss')
  await find('bad')
  expect(await statusOf(bad)).toBe('Valid')
})

test('a verdict is recorded with moderator and rule, gives one notice, and closes open reports and findings', async () => {
  const { report, account, decide, statusOf, store, moderation, clock } = await caseWorld()
  const bad = await account('bad')
  for (const name of ['ann', 'bob', 'cid', 'dot']) await report(name, 'bad')
  await moderation.appeal(bad)
  await expect(moderation.appeal(bad)).rejects.toMatchObject(refused)
  expect(await decide(bad, 'suspend', 'no-recording')).toBe('Appeal')
  expect(await store.reports.open(bad, 0)).toEqual([])
  const [newest, appealed] = await store.cases.history(bad)
  expect(newest).toMatchObject({
    from: 'InReview',
    to: 'Appeal',
    by: { kind: 'moderator', id: 'mo' },
    what: 'moderator',
    rule: 'no-recording',
    reason: 'seen',
    at: clock.at,
    until: clock.at + 10 * DAY_MS,
  })
  expect(appealed).toMatchObject({ from: 'Appeal', to: 'InReview', by: { kind: 'user', id: bad } })
  expect(await store.cases.notice(bad)).toEqual({ outcome: 'suspended', at: clock.at })
  expect(await store.outbox.due(clock.at)).toMatchObject([{ accountId: bad, outcome: 'suspended', attempts: 0 }])
  await store.cases.seeNotice(bad)
  expect(await store.cases.notice(bad)).toBeNull()
  await decide(bad, 'block')
  expect(await statusOf(bad)).toBe('Blocked')
  for (const verdict of ['dismiss', 'warn', 'suspend', 'block'] as const)
    await expect(decide(bad, verdict)).rejects.toMatchObject(refused)
  await decide(bad, 'restore')
  expect(await store.cases.notice(bad)).toMatchObject({ outcome: 'restored' })
  await expect(decide(bad, 'restore')).rejects.toMatchObject(refused)
})

test('a minor is blocked whatever the status was, and no moderator can restore the account', async () => {
  const { account, decide, moderation, statusOf, store } = await caseWorld()
  const kid = await account('kid')
  await decide(kid, 'block', 'no-spam')
  await moderation.banMinor(kid)
  await moderation.banMinor(kid)
  expect((await store.cases.history(kid)).map(({ rule }) => rule)).toEqual(['adults-only', 'no-spam'])
  await expect(decide(kid, 'restore')).rejects.toMatchObject(refused)
  expect(await statusOf(kid)).toBe('Blocked')
})

test('of two concurrent verdicts both are recorded, one after the other', async () => {
  const { account, decide, store } = await caseWorld()
  const bad = await account('bad')
  const verdicts = await Promise.allSettled([decide(bad, 'warn'), decide(bad, 'block'), decide(bad, 'suspend')])
  const history = (await store.cases.history(bad)).reverse()
  expect(history).toHaveLength(verdicts.filter(({ status }) => status === 'fulfilled').length)
  for (const [index, { from }] of history.entries()) expect(from).toBe(history[index - 1]?.to ?? 'Valid')
})

test('risk signals of a blocked person lower the thresholds for a new account, as long as they are kept', async () => {
  const { account, decide, moderation, report, risk, statusOf, clock } = await caseWorld()
  const signIn = { address: '203.0.113.7', device: 'a phone' }
  const old = await account('old')
  const bad = await account('bad')
  await moderation.admit(old, signIn)
  await moderation.admit(bad, signIn)
  clock.at += 1
  await decide(bad, 'block')
  clock.at += 1
  const [again, far] = [await account('again'), await account('far')]
  await moderation.admit(again, { ...signIn, address: '203.0.113.200' })
  await moderation.admit(far, { ...signIn, address: '198.51.100.1' })
  expect(await risk(again)).toBeCloseTo(0.6)
  expect(await risk(far)).toBe(0)
  expect(await risk(old)).toBe(0)
  for (const name of ['ann', 'bob', 'cid']) await report(name, 'again')
  clock.at += DAY_MS
  for (const name of ['ann', 'bob', 'cid']) await report(name, 'far')
  expect([await statusOf(again), await statusOf(far)]).toEqual(['Appeal', 'Warning'])

  clock.at += 90 * DAY_MS
  expect(await risk(again)).toBe(0)
})

test('new accounts are like a banned one for 7 days after the ban, if both network and device are the same', async () => {
  const { account, decide, moderation, clock, store } = await caseWorld()
  const signIn = { address: '203.0.113.7', device: 'a phone' }
  const join = async (name: string, origin = signIn) => moderation.admit(await account(name), origin)
  await join('old')
  await join('bad')
  clock.at += 1
  await decide(await account('bad'), 'block')
  clock.at += 1
  await join('other device', { ...signIn, device: 'a desktop' })
  await join('other network', { ...signIn, address: '198.51.100.1' })
  await join('soon')
  clock.at += 7 * DAY_MS
  await join('late')
  const like = (await store.desk.openCases()).filter(({ resemblesSince }) => resemblesSince !== null)
  expect(like.map(({ id }) => id)).toEqual([await account('soon')])
})

test('restoring a blocked account removes the ban and its risk signals', async () => {
  const { account, decide, moderation, risk, statusOf, clock } = await caseWorld()
  const bad = await account('bad')
  const signIn = { address: '203.0.113.7', device: 'a phone' }
  await moderation.admit(bad, signIn)
  await decide(bad, 'block')
  clock.at += 1
  const other = await account('other')
  await moderation.admit(other, signIn)
  expect(await risk(other)).toBeGreaterThan(0)
  await decide(bad, 'restore')
  await moderation.admit(bad, signIn)
  expect(await statusOf(bad)).toBe('Valid')
  expect(await risk(other)).toBe(0)
})

test('a report that was recorded just before the server stopped is judged after the restart', async () => {
  const { account, statusOf, store, clock, moderation } = await caseWorld()
  const bad = await account('bad')
  for (const [index, name] of ['ann', 'bob'].entries()) {
    const reporter = await account(name, index * DAY_MS)
    const report = {
      session: name,
      reporter,
      reported: bad,
      type: 'ReportOnly',
      callMs: 60_000,
      ...confirmedCall,
      at: clock.at,
    } as const
    await store.reports.add(report)
  }
  await moderation.runUpkeep()
  expect(await statusOf(bad)).toBe('Warning')
})
