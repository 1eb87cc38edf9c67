import { expect, test } from 'vitest'
import { DAY_MS, MINUTE_MS } from '#protocol/durations.ts'
import { caseWorld } from '../../support/moderation/case-world.ts'

test.each([9, 5])(
  'an offender who reports each of %d victims first, three a day, is suspended by their reports',
  async (victims) => {
    const { report, account, statusOf, clock } = await caseWorld()
    const bad = await account('bad', clock.at - 200 * DAY_MS)
    const names = Array.from({ length: victims }, (_, index) => `victim ${index}`)
    for (const [index, name] of names.entries()) {
      await account(name, clock.at - (100 + index) * DAY_MS)
      clock.at += index % 3 === 0 ? DAY_MS : MINUTE_MS
      await report('bad', name)
      await report(name, 'bad')
    }
    expect(await statusOf(bad)).toBe('Appeal')
    for (const name of names) expect(await statusOf(await account(name))).toBe('Valid')
  },
)

test.each(['the offender', 'the victim'])(
  'of two who report each other, %s first, the one whom others have reported weighs nothing',
  async (first) => {
    const { report, account, decide, statusOf, store, moderation, clock } = await caseWorld()
    const [bad, ann] = [await account('bad'), await account('ann', clock.at - 300 * DAY_MS)]
    const weighing = async (id: string) => (await store.reports.open(id, 0)).filter((one) => !one.outweighed).length
    if (first === 'the offender') await report('bad', 'ann')
    await report('ann', 'bad')
    if (first !== 'the offender') await report('bad', 'ann')
    // Nobody knows yet who is right.
    expect([await weighing(ann), await weighing(bad)]).toEqual([1, 1])
    await report('bob', 'bad')
    expect(await statusOf(bad)).toBe('Warning')
    expect([await weighing(ann), await weighing(bad)]).toEqual([0, 2])
    // When the warning is over, what moderators found still speaks against the offender.
    await decide(bad, 'warn')
    clock.at += 31 * DAY_MS
    await moderation.runUpkeep()
    expect(await statusOf(bad)).toBe('Valid')
    expect(await weighing(ann)).toBe(0)
  },
)

test('of a reporter who has a warning, undecided reports outweigh hers only with a call, and three a day', async () => {
  const { report, account, statusOf, store } = await caseWorld()
  const ann = await account('ann')
  for (const name of ['known', 'others']) await report(name, 'ann')
  expect(await statusOf(ann)).toBe('Warning')
  const outweighed = async (name: string) =>
    (await store.reports.open(await account(name), 0)).map((one) => one.outweighed)
  for (const name of ['bad', 'b', 'c']) await report('ann', name)
  await report('b', 'ann', null)
  expect(await outweighed('b')).toEqual([false])
  for (const name of ['f', 'g']) await report('bad', name)
  await report('bad', 'ann')
  expect(await outweighed('bad')).toEqual([true])
  for (const name of ['f', 'g', 'h']) await report('c', name)
  await report('c', 'ann')
  expect(await outweighed('c')).toEqual([false])
})

test('reports of a whole street in return do not stop the reporter of an offender, nor does one report make anybody known', async () => {
  const { report, account, statusOf, store } = await caseWorld()
  const ann = await account('ann')
  for (const name of ['bob', 'cid']) {
    await report('ann', name)
    await report(name, 'ann')
  }
  expect((await store.reports.open(ann, 0)).map(({ outweighed }) => outweighed)).toEqual([false, false])
  expect(await statusOf(await account('bob'))).toBe('Valid')
})

test('a report in return pauses nobody until the first is dismissed; of a reporter who reports every peer, three a day make one', async () => {
  const { report, account, decide, store, clock } = await caseWorld()
  await report('ann', 'bob')
  await report('bob', 'ann')
  const facts = async (name: string) => (await store.reports.open(await account(name), 0)).map((one) => one.retaliation)
  expect(await facts('ann')).toEqual([true])
  await decide(await account('bob'), 'dismiss')
  expect(await facts('ann')).toEqual([false])
  for (const name of ['cid', 'dot', 'eve', 'fay']) {
    clock.at += MINUTE_MS
    await report('bad', name)
    await report(name, 'bad')
  }
  expect((await facts('bad')).filter(Boolean)).toHaveLength(3)
})

test('accounts that report the same three decoys have the credit of one, and decoys of the own network or batch give none', async () => {
  const { report, account, decide, moderation, store, clock } = await caseWorld()
  const creditOf = async (name: string) => (await store.reports.recordOf(await account(name), clock.at)).credit
  for (const decoy of ['x', 'y', 'z']) {
    clock.at += DAY_MS
    for (const farm of ['f1', 'f2', 'f3']) await report(farm, decoy)
    await decide(await account(decoy), 'block')
  }
  for (const farm of ['f1', 'f2', 'f3']) expect(await creditOf(farm)).toBeCloseTo(1)

  // Signed in from one network, and created in one hour.
  const at = (address: string) => ({ address, device: null })
  await report('home', 'flatmate')
  await moderation.admit(await account('home'), at('203.0.113.7'))
  await moderation.admit(await account('flatmate'), at('203.0.113.9'))
  await decide(await account('flatmate'), 'block')
  await account('twin', clock.at)
  await report('twin', 'sibling')
  await decide(await account('sibling'), 'block')
  expect([await creditOf('home'), await creditOf('twin')]).toEqual([0, 0])
  expect((await store.desk.reports(await account('flatmate'), 9))[0]).toMatchObject({ upheld: 1, credit: 0 })
})

test('one reporter pauses one user at a time, none after a wrong report; the reporters of a network two a day', async () => {
  const { report, account, decide, statusOf, moderation, clock } = await caseWorld()
  const pause = async (by: string, about: string) => {
    await report(by, about, 60_000, 'under-18')
    return (await statusOf(await account(about))) === 'Appeal'
  }
  expect(await pause('ann', 'a')).toBe(true)
  clock.at += 2 * DAY_MS
  expect(await pause('ann', 'b')).toBe(false)
  for (const name of ['a', 'b']) await decide(await account(name), 'block')
  clock.at += 2 * DAY_MS
  expect(await pause('ann', 'c')).toBe(true)
  await decide(await account('c'), 'dismiss')
  clock.at += 2 * DAY_MS
  expect(await pause('ann', 'd')).toBe(false)

  const names = ['s1', 's2', 's3', 's4']
  for (const [index, name] of names.entries()) {
    const id = await account(name, clock.at - (100 + index) * DAY_MS)
    await moderation.admit(id, { address: `203.0.113.${index}`, device: null })
  }
  // Those of new accounts take nothing from the others of the network.
  for (const name of ['n1', 'n2', 'n3']) {
    const id = await account(name)
    await moderation.admit(id, { address: '203.0.113.99', device: null })
    await report(name, `of ${name}`, 60_000, 'under-18')
  }
  const paused: boolean[] = []
  for (const name of names) paused.push(await pause(name, `of ${name}`))
  expect(paused).toEqual([true, true, false, false])
})
