import { expect, onTestFinished, test } from 'vitest'
import { createLocalRouter } from '../../../server/hub/hub-router.ts'
import { MatchQueue, newWait } from '../../../server/matching/rules/match-queue.ts'
import { type Origin, TRUST_HALF_LIFE_MS, Trust } from '../../../server/matching/rules/trust.ts'
import { LocalDecayingSums } from '../../../server/platform/rules/decaying-sums.ts'
import { fakeClock } from '../../support/fake-clock.ts'
import { hubWorld, queueOptionsOf, startHub } from '../../support/hub/hub-fakes.ts'
import { officialClient } from '../../support/hub/hub-test.ts'

/** Within the time limit of a match of 20 s, this long without a word is enough. */
const SILENT_MS = 5_000
const APART_MS = 20_000
const NOW = 1_000_000
const EVENTS = ['OnUserConnected', 'OnUserMatched', 'OnQueueSize', 'SessionTerminated'] as const

/** A hub with trust. All connections come from `origin`. */
async function hubWithTrust(origin: Origin | null = null) {
  const clock = fakeClock(NOW)
  const world = hubWorld(clock)
  const queue = new MatchQueue(queueOptionsOf(world.deps))
  const router = createLocalRouter({ queue, matchRecords: world.deps.matchRecords })
  const scores = new LocalDecayingSums(clock.now, ['failed', 'good', 'fair'], TRUST_HALF_LIFE_MS)
  const server = await startHub({ ...world.deps, router, trust: new Trust(scores), originOf: () => origin })
  onTestFinished(server.stop)

  /** A user with the official client. One who `speaks` introduces themself, as the pages do; a silent one does nothing but search. */
  async function user(account: string, speaks: boolean) {
    const client = officialClient(server.url, account)
    const heard: { event: string; args: unknown[] }[] = []
    for (const event of EVENTS) client.on(event, (...args: unknown[]) => heard.push({ event, args }))
    const count = (event: string) => heard.filter((one) => one.event === event).length
    if (speaks)
      client.on('OnUserMatched', (_role, _session, peer) => {
        // The test may end first.
        client.invoke('HandleUserNickNameAndUserEmailIdToPeer', peer, '', '').catch(() => undefined)
      })
    await client.start()
    return {
      account,
      search: () => client.invoke('InitiateMatchingWithPeers', client.connectionId, '[]'),
      /** Resolves when the hub has heard of this user. */
      touch: () => client.invoke('HandleTyping', 'none', 'nobody').catch(() => undefined),
      id: () => client.connectionId ?? '',
      stop: () => client.stop(),
      matches: () => count('OnUserMatched'),
      ends: () => count('SessionTerminated'),
      events: () => [...new Set(heard.map(({ event }) => event))].sort(),
    }
  }
  type User = Awaited<ReturnType<typeof user>>

  const waiting = () => [...server.hub.counts().queue.values()].reduce((sum, region) => sum + region.waiting, 0)

  async function expectMatched(...users: User[]): Promise<void> {
    const before = users.map(({ matches }) => matches())
    for (const { search } of users) await search()
    for (const [index, { matches }] of users.entries()) await expect.poll(matches).toBe((before[index] ?? 0) + 1)
  }

  /** The two are matched, and the match ends because `silent` sends nothing. */
  async function fail(silent: User, other: User): Promise<void> {
    const ends = [silent.ends(), other.ends()]
    await expectMatched(silent, other)
    // The introduction has been read once another invocation of the same connection is answered.
    await other.search()
    clock.advance(SILENT_MS)
    await expect.poll(silent.ends).toBe((ends[0] ?? 0) + 1)
    await expect.poll(other.ends).toBe((ends[1] ?? 0) + 1)
  }

  return { ...world, clock, scores, queue, user, waiting, fail }
}

test('bots that never answer meet each other, honest people meet each other, and nobody is told', async () => {
  const { user, waiting, fail } = await hubWithTrust()
  const [ann, bob, cat] = [await user('ann', true), await user('bob', true), await user('cat', true)]
  const [bot, twin] = [await user('bot', false), await user('twin', false)]
  for (const silent of [bot, twin]) for (const honest of [ann, bob]) await fail(silent, honest)

  await cat.search()
  await bot.search()
  await expect.poll(waiting).toBe(2)
  const met = [ann.matches() + 1, cat.matches() + 1]
  await ann.search()
  await expect.poll(() => [ann.matches(), cat.matches()]).toEqual(met)
  const alone = [bot.matches() + 1, twin.matches() + 1]
  await twin.search()
  await expect.poll(() => [bot.matches(), twin.matches()]).toEqual(alone)
  expect(new Set([...ann.events(), ...cat.events()])).toEqual(new Set([...bot.events(), ...twin.events()]))
})

test('somebody who is alone with a bot meets it after a while', async () => {
  const { clock, user, waiting, fail } = await hubWithTrust()
  const [ann, bob, cat, bot] = [
    await user('ann', true),
    await user('bob', true),
    await user('cat', true),
    await user('bot', false),
  ]
  for (const honest of [ann, bob]) await fail(bot, honest)
  const matches = bot.matches()
  await cat.search()
  await bot.search()
  await expect.poll(waiting).toBe(2)
  clock.advance(APART_MS - 1)
  expect(cat.matches()).toBe(0)
  clock.advance(1)
  await expect.poll(() => [cat.matches(), bot.matches()]).toEqual([1, matches + 1])
})

test('a bot that has waited apart for long enough waits with all others', async () => {
  const { clock, user, waiting, fail } = await hubWithTrust()
  const [ann, bob, cat, bot] = [
    await user('ann', true),
    await user('bob', true),
    await user('cat', true),
    await user('bot', false),
  ]
  for (const honest of [ann, bob]) await fail(bot, honest)
  const matches = bot.matches()
  await bot.search()
  await expect.poll(waiting).toBe(1)
  // Steps in which the hub hears of its clients.
  for (let passed = 0; passed < TRUST_HALF_LIFE_MS; passed += SILENT_MS) {
    clock.advance(SILENT_MS)
    await Promise.all([cat.touch(), bot.touch()])
  }
  await cat.search()
  await expect.poll(() => [cat.matches(), bot.matches()]).toEqual([1, matches + 1])
})

test('an entry apart that another server or process has left ends its time apart here', async () => {
  const { clock, queue, user } = await hubWithTrust()
  const cat = await user('cat', true)
  await cat.search()
  const terms = { region: '', languages: [], interests: [], blocked: [], met: [] }
  queue.hold(newWait('bot', { ...terms, apart: true }, NOW), NOW)
  const bot = await user('bot', false)
  // The grace for another page. Nothing is held against the bot any more.
  await bot.touch()
  clock.advance(1_000)
  await expect.poll(() => [clock.advance(0), cat.matches(), bot.matches()]).toEqual([undefined, 1, 1])
})

test('a user apart whose match is not opened, and whose time has ended meanwhile, waits with all others', async () => {
  const { clock, faults, scores, disconnected, user, waiting } = await hubWithTrust()
  for (const account of ['bot', 'twin']) await scores.add(`account ${account}`, { failed: 2.5, good: 0, fair: 0 })
  const [bot, twin, cat] = [await user('bot', false), await user('twin', false), await user('cat', true)]
  await bot.search()
  await expect.poll(waiting).toBe(1)
  faults.add('open')
  await twin.search()
  await expect.poll(waiting).toBe(0)
  for (let passed = 0; passed < APART_MS; passed += SILENT_MS) {
    clock.advance(SILENT_MS)
    await Promise.all([bot, twin, cat].map(({ touch }) => touch()))
  }
  const gone = disconnected(twin.id())
  await Promise.all([twin.stop(), gone])
  faults.delete('open')
  await cat.search()
  const from = clock.now()
  await expect.poll(() => [clock.advance(100), cat.matches(), bot.matches()]).toEqual([undefined, 1, 1])
  expect(clock.now() - from).toBeLessThan(APART_MS)
})

test('a silent match counts for the network and the kind of device of the connection', async () => {
  const { scores, user, fail } = await hubWithTrust({ network: 'net', device: 'net phone' })
  await fail(await user('bot', false), await user('ann', true))
  for (const key of ['account bot', 'network net', 'device net phone'])
    await expect.poll(async () => (await scores.read(key)).failed).toBe(2)
  expect((await scores.read('account ann')).failed).toBe(0)
})
