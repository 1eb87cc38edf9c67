import { setTimeout as pause } from 'node:timers/promises'
import { startFleetWithUsers } from '../support/fleet/many-servers.ts'
import { type Crowd, gatherCrowd } from '../support/hub/crowd.ts'
import type { CrowdPerson } from '../support/hub/crowd-person.ts'
import { pollUntil } from '../support/poll-until.ts'
import { newDatabase, startPostgres } from '../support/servers/postgres.ts'
import { type RedisCluster, startRedisCluster } from '../support/servers/redis-cluster.ts'

const POOL = '{waggle:world}'
const LIMIT_MS = 60_000
const CHAT_EVERY_MS = 1_000
/** The people who press Next do so one after the other, this often. */
const NEXT_EVERY_MS = 50
/** Who leaves sooner may search less often. */
const EARLY_MS = 2_000
const RECORDS_MS = 30_000
const BEFORE_MS = 5_000

const { SLOT_PEOPLE = '200', SLOT_AT_ONCE = '10', SLOT_HELD_MS = '0' } = process.env

const since = (start: number) => `${Math.round(performance.now() - start)} ms`

/** Returns a function that ends the watch and returns the longest time for which the text stayed the same, in milliseconds. */
function longestPause(read: () => string): () => number {
  let [text, at, longest] = [read(), performance.now(), 0]
  const timer = setInterval(() => {
    const [next, now] = [read(), performance.now()]
    longest = Math.max(longest, now - at)
    if (next !== text) [text, at] = [next, now]
  }, 10)
  return () => {
    clearInterval(timer)
    return longest
  }
}

/** Lets the people press Next in turn. Returns a function that ends it. */
function pressNext(people: readonly CrowdPerson[]): () => void {
  let turn = 0
  const timer = setInterval(() => {
    turn += 1
    const person = people[turn % people.length]
    if (person && performance.now() - person.matchedAt > EARLY_MS) person.next()
  }, NEXT_EVERY_MS)
  return () => clearInterval(timer)
}

async function moveSlot(crowd: Crowd, cluster: RedisCluster): Promise<void> {
  const movers = crowd.people.slice(0, crowd.people.length / 2)
  const stopPressing = pressNext(movers)
  try {
    await pause(BEFORE_MS)
    const quietest = longestPause(() => crowd.people.map(({ session }) => session ?? '').join())
    const startedAt = performance.now()
    const halfway = () => pause(Number(SLOT_HELD_MS))
    const keys = await cluster.moveKeysOf(POOL, { atOnce: Number(SLOT_AT_ONCE), halfway })
    console.log(`moved     ${keys} keys of ${POOL} in ${since(startedAt)}`)
    const movedAt = performance.now()
    const sessions = new Map(movers.map((person) => [person, person.session]))
    await crowd.until(
      'matched anew',
      (person) => !sessions.has(person) || (person.session !== null && person.session !== sessions.get(person)),
    )
    console.log(`met       everybody who pressed Next, within ${since(movedAt)} of the end`)
    console.log(`measured  longest time without a change of matches ${Math.round(quietest())} ms`)
  } finally {
    stopPressing()
  }
}

/** Prints what must be 0. Resolves with the exit code. */
async function checkLosses(crowd: Crowd, drops: number): Promise<number> {
  await crowd.until('in a match', ({ session }) => session !== null)
  const talkedAt = performance.now()
  await crowd.until('talking', ({ deliveredAt }) => deliveredAt > talkedAt)
  // A match that ended meanwhile is written as ended when its step has been repeated, after 10 s at most.
  const agree = async () => (await crowd.twice()) + (await crowd.disagreements()) === 0
  await pollUntil(agree, RECORDS_MS, () => 'the records disagree').catch(() => undefined)
  console.log(`measured  the records agree with the people after ${since(talkedAt)}`)
  const { messages, people } = crowd
  const counts = [
    [drops, 'connections dropped'],
    [messages.lost().length, 'messages lost'],
    [messages.repeated(), 'messages repeated'],
    [await crowd.twice(), 'people in two matches'],
    [await crowd.disagreements(), 'matches in which the two disagree'],
    [people.reduce((sum, { overlaps }) => sum + overlaps, 0), 'matches announced during a match'],
  ] as const
  for (const [count, what] of counts) console.log(`${count === 0 ? 'keeps ' : 'BREAKS'}    ${count} ${what}`)
  const slowest = Math.round(Math.max(...messages.delays))
  console.log(`measured  ${messages.received.size} messages, slowest ${slowest} ms`)
  return counts.every(([count]) => count === 0) ? 0 : 1
}

/**
 * Moves the slot of the pool to another master of a Redis Cluster, key by key, while people chat and meet at two servers. Prints how long there were no
 * new matches. SLOT_PEOPLE, SLOT_AT_ONCE (keys a command) and SLOT_HELD_MS (a halt halfway, for a slow network) change it. Resolves with the exit code.
 */
export async function rehearseSlot(): Promise<number> {
  const [postgres, cluster] = [await startPostgres(), await startRedisCluster()]
  const faults = new Set<string>()
  const fleet = await startFleetWithUsers(2, {
    database: await newDatabase(postgres.port),
    redis: cluster.urls.join(','),
    // People may press Next after a second.
    env: { NEXT_WAIT_SECONDS: '1' },
    onLine(line) {
      const [, message = ''] = /"level":50,.*"message":"([^"]*)"/.exec(line) ?? []
      if (message !== '') faults.add(message)
    },
  })
  const half = Math.round(Number(SLOT_PEOPLE) / 2)
  const crowd = await gatherCrowd(fleet, [half, half], { chatEveryMs: CHAT_EVERY_MS, limitMs: LIMIT_MS })
  const drops = () => crowd.people.reduce((sum, person) => sum + person.drops, 0)
  try {
    const before = drops()
    await moveSlot(crowd, cluster)
    return await checkLosses(crowd, drops() - before)
  } finally {
    for (const message of faults) console.log(`log       ${message}`)
    crowd.stop()
    await fleet.stop()
    await cluster.stop()
    await postgres.stop()
  }
}
