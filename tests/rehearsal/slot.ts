import { setTimeout as pause } from 'node:timers/promises'
import { startFleetWithUsers } from '../support/fleet/many-servers.ts'
import { gatherCrowd } from '../support/hub/crowd.ts'
import type { CrowdPerson } from '../support/hub/crowd-person.ts'
import { newDatabase, startPostgres } from '../support/servers/postgres.ts'
import { startRedisCluster } from '../support/servers/redis-cluster.ts'

const POOL = '{waggle:world}'
const LIMIT_MS = 60_000
const CHAT_EVERY_MS = 1_000
/** People who press Next every so often keep the queue busy. */
const NEXT_EVERY_MS = 50
const BEFORE_MS = 5_000

const { SLOT_PEOPLE = '200', SLOT_AT_ONCE = '10', SLOT_HELD_MS = '0' } = process.env

const since = (start: number) => `${Math.round(performance.now() - start)} ms`

/**
 * Moves the slot of the pool to another master of a Redis Cluster, key by key, while people chat and meet at two servers. Prints how long there were no
 * new matches. SLOT_PEOPLE, SLOT_AT_ONCE (keys a command) and SLOT_HELD_MS (a halt halfway, for a slow network) change it. Resolves with the exit code.
 */
export async function rehearseSlot(): Promise<number> {
  const [postgres, cluster] = [await startPostgres(), await startRedisCluster()]
  const lines: string[] = []
  const fleet = await startFleetWithUsers(2, {
    database: await newDatabase(postgres.port),
    redis: cluster.urls.join(','),
    // People may press Next after a second.
    env: { NEXT_WAIT_SECONDS: '1' },
    onLine: (line) => void lines.push(line),
  })
  const half = Math.round(Number(SLOT_PEOPLE) / 2)
  const crowd = await gatherCrowd(fleet, [half, half], { chatEveryMs: CHAT_EVERY_MS, limitMs: LIMIT_MS })
  const [movers, talkers] = [crowd.people.slice(0, half), crowd.people.slice(half)]
  let turn = 0
  const pressing = setInterval(() => {
    turn += 1
    movers[turn % movers.length]?.next()
  }, NEXT_EVERY_MS)
  try {
    await pause(BEFORE_MS)
    const quietest = longestPause(() => crowd.people.map(({ session }) => session ?? '').join())
    const drops = () => crowd.people.reduce((sum, person) => sum + person.drops, 0)
    const dropsBefore = drops()
    const startedAt = performance.now()
    const keys = await cluster.moveKeysOf(POOL, {
      atOnce: Number(SLOT_AT_ONCE),
      halfway: () => pause(Number(SLOT_HELD_MS)),
    })
    console.log(`moved     ${keys} keys of ${POOL} in ${since(startedAt)}`)
    const movedAt = performance.now()
    const sessions = new Map(crowd.people.map((person) => [person, person.session]))
    const isAnew = (person: CrowdPerson) => !movers.includes(person) || person.session !== sessions.get(person)
    await crowd.until('matched anew', isAnew).catch(async (error: unknown) => {
      const live = new Map((await fleet.store.matchRecords.all()).flatMap(({ id, caller, callee }) => [[caller, id] as const, [callee, id] as const]))
      for (const person of crowd.people.filter((one) => !isAnew(one)))
        console.log(`stuck     ${person.user.name} ${person.connected} sees ${person.session}, records ${live.get(person.user.accountId)}, before ${sessions.get(person)}`)
      for (const line of new Set(lines.map((one) => one.slice(0, 400)))) console.log(line)
      throw error
    })
    console.log(
      `met       everybody who pressed Next, within ${since(movedAt)} of the end; longest time without a change of matches ${Math.round(quietest())} ms`,
    )
    clearInterval(pressing)
    await crowd.until('in a match', ({ session }) => session !== null)
    const talkedAt = performance.now()
    await crowd.until('talking', ({ deliveredAt }) => deliveredAt > talkedAt)
    const delays = crowd.messages.delays.toSorted((one, other) => one - other)
    const faults = [
      [drops() - dropsBefore, 'connections dropped'],
      [crowd.messages.lost().length, 'messages lost'],
      [crowd.messages.repeated(), 'messages repeated'],
      [await crowd.twice(), 'people in two matches'],
      [await crowd.disagreements(), 'matches in which the two disagree'],
      [talkers.reduce((sum, { overlaps }) => sum + overlaps, 0), 'matches over a match'],
    ] as const
    for (const [count, what] of faults) console.log(`${count === 0 ? 'keeps ' : 'BREAKS'}    ${count} ${what}`)
    console.log(`measured  ${crowd.messages.received.size} messages, slowest ${Math.round(delays.at(-1) ?? 0)} ms`)
    for (const line of new Set(lines.filter((one) => one.includes('"level":50')).map((one) => one.slice(0, 300))))
      console.log(line)
    return faults.every(([count]) => count === 0) ? 0 : 1
  } finally {
    clearInterval(pressing)
    crowd.stop()
    await fleet.stop()
    await cluster.stop()
    await postgres.stop()
  }
}

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
