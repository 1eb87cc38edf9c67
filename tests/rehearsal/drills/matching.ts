import type { Database } from '../../../server/platform/database/database.ts'
import type { TestUser } from '../../support/fleet/many-servers.ts'
import type { Store } from '../../support/stores/store.ts'
import { type Parts, serverCommand } from '../parts.ts'
import { badOutcomes, createUsers, openRehearsalStore, People, visitorOf } from './crowd.ts'
import type { Drill } from './drill.ts'

const PEOPLE = 60
/** How long people who have met wait for each other, in the drill of long waits. */
const RELAX_MS = 60_000
const MEET_MS = 1_000
/** Longer than MATCH_TIMEOUT_MS, so that some matches end by it. */
const NEXT_MS = 45_000
const REPORT_MS = 4_000
const RECONNECT_MS = 10_000
const SLOW_ACK_MS = 4_000
const LATE_PICTURE_MS = 20_000

/** All of them have met: what a service has after some weeks with the same few people. */
async function recordMeetings(store: Store, users: readonly TestUser[]): Promise<void> {
  const ids = users.map(({ accountId }) => accountId).toSorted()
  const at = Date.now()
  const pairs = ids.flatMap((first, index) => ids.slice(index + 1).map((second) => ({ first, second, at })))
  const { meetings } = store.records((db: Database) => ({
    meetings: { add: () => db.insertInto('meetings').values(pairs).execute() },
  }))
  await meetings.add()
}

async function restartServers({ web, web2 }: Parts, extra: Record<string, string>): Promise<void> {
  await web.restart(serverCommand('web', extra))
  await web2.restart(serverCommand('web2', extra))
}

/** A setting with a mistake: a minute until people meet again. */
export function longWaits(parts: Parts): Drill {
  let people: People | null = null
  return {
    name: 'people who have all met, MATCH_RELAX_AFTER_MS too long',
    alerts: ['QueueGrows', 'NoMatches', 'LongWait'],
    cause: async () => {
      await restartServers(parts, { MATCH_RELAX_AFTER_MS: String(RELAX_MS) })
      const store = await openRehearsalStore()
      const users = await createUsers(store, PEOPLE)
      await recordMeetings(store, users)
      await store.close()
      // One in a second, so that the waits do not end at the same moment.
      people = new People(users, { arriveEveryMs: RELAX_MS / PEOPLE })
      people.everyone(MEET_MS, (person) => person.next())
    },
    restore: async () => {
      people?.stop()
      await restartServers(parts, {})
    },
  }
}

/** People whose browsers reach each other badly, and the hub too; the relay carries no call. */
export function badNetwork(): Drill {
  let people: People | null = null
  const sent = new Set<Promise<unknown>>()
  return {
    name: 'people behind bad networks, no call over the relay',
    alerts: [
      ...['MatchesFail', 'ConnectionsFail', 'NoRelayedCalls', 'CallsBreak', 'SlowRelay', 'ManyReconnects'],
      ...['CallsBurnFast', 'CallsBurnSlowly', 'FirstPictureBurnFast', 'FirstPictureBurnSlowly'],
    ],
    cause: async () => {
      const store = await openRehearsalStore()
      const users = await createUsers(store, PEOPLE)
      await store.close()
      const visitors = new Map(await Promise.all(users.map(async (user) => [user, await visitorOf(user)] as const)))
      people = new People(users, { arriveEveryMs: 50, ackMs: SLOW_ACK_MS, isBlind: (index) => index % 2 === 0 })
      people.everyone(NEXT_MS, (person) => person.next())
      people.everyone(RECONNECT_MS, (person) => person.reconnect())
      people.everyone(REPORT_MS, ({ user }, round) => {
        const visitor = visitors.get(user)
        const outcome = badOutcomes[(round + users.indexOf(user)) % badOutcomes.length] ?? 'failed'
        if (!visitor) return
        const experience = { browser: 'chrome', outcome: 'connected', firstFrameMs: LATE_PICTURE_MS } as const
        for (const work of [
          visitor.send('reportConnection', { outcome, afterMs: LATE_PICTURE_MS }),
          visitor.send('addExperience', experience),
        ]) {
          sent.add(work)
          // Where one fails, restore() says so.
          work.then(
            () => sent.delete(work),
            () => {},
          )
        }
      })
    },
    restore: async () => {
      people?.stop()
      await Promise.all(sent)
    },
  }
}
