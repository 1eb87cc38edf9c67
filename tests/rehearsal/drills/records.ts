import { randomUUID } from 'node:crypto'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#protocol/durations.ts'
import type { Database } from '../../../server/platform/database/database.ts'
import { createUsers, openRehearsalStore, visitorOf } from './crowd.ts'
import { type Drill, repeatedly, together } from './drill.ts'

const PEOPLE = 240
const CURTAIN_ACCOUNTS = 5
/** Just above the minute in which each account may report ten times. */
const CURTAIN_MS = (MINUTE_MS * 1.1) / 10 / CURTAIN_ACCOUNTS
const LOOKS = 2_000

/** Rows as they are after a restore, or after a week in which no moderator came. */
function backlog(): Drill {
  return {
    name: 'reports and notices that nobody decided for days',
    alerts: ['ManyCases', 'PriorityCaseOverdue', 'LateModeration', 'NoticesNearDeadline', 'NoticesOverdue'],
    cause: async () => {
      const store = await openRehearsalStore()
      const users = await createUsers(store, PEOPLE)
      const now = Date.now()
      const [reporter] = users
      for (const [index, { accountId }] of users.entries())
        await store.reports.add({
          session: randomUUID(),
          reporter: reporter?.accountId ?? '',
          reported: accountId,
          type: 'ReportOnly',
          callMs: null,
          reporterSaw: false,
          reportedSaw: false,
          keptCalls: 0,
          settled: false,
          dueAt: null,
          at: now - 6 * DAY_MS,
          ...(index === 0 && { details: { reason: 'under-18' as const }, dueAt: now - 5 * DAY_MS }),
        })
      for (const [index, dueAt] of [now + 12 * HOUR_MS, now - HOUR_MS].entries())
        await store.contentNotices.add({
          ...{ id: randomUUID(), requestKey: randomUUID(), reference: `00000000000${index}`, kind: 'impersonation' },
          ...{
            email: 'someone@example.org',
            language: 'en',
            day: '2026-11-01',
            time: null,
            link: null,
            signature: null,
            isGoodFaith: false,
          },
          ...{ description: 'Somebody shows my face', at: now - 6 * DAY_MS, dueAt },
        })
      await store.close()
    },
    /** Moderators decide all of it. */
    restore: async () => {
      const store = await openRehearsalStore()
      const at = Date.now()
      const { decisions } = store.records((db: Database) => ({
        decisions: {
          dismissAll: () =>
            db
              .updateTable('reports')
              .set({ outcome: 'dismissed', decidedAt: at })
              .where('outcome', 'is', null)
              .execute(),
        },
      }))
      await decisions.dismissAll()
      for (const { id } of await store.contentNotices.open(10))
        await store.contentNotices.answer(id, { outcome: 'declined', text: 'No', at, moderator: 'rehearsal' }, null)
      await store.close()
    },
  }
}

/** Browsers of a model that flags a fifth of what it sees, and whose veils people lift. */
function wrongCurtain(): Drill {
  return repeatedly(
    'browsers whose safety curtain flags too much',
    ['CurtainFlagsTooMuch', 'CurtainIsLifted'],
    async () => {
      const store = await openRehearsalStore()
      const users = await createUsers(store, CURTAIN_ACCOUNTS)
      await store.close()
      const visitors = await Promise.all(users.map(visitorOf))
      let turn = 0
      return async () => {
        const counts = { model: 'mobilenet-v2-mid', looks: LOOKS, flagged: LOOKS / 5, veils: 20, shownAnyway: 19 }
        await visitors[turn % visitors.length]?.send('addCurtainCounts', counts)
        turn += 1
      }
    },
    CURTAIN_MS,
  )
}

/** What people and their browsers leave behind, all at once. */
export const records = (others: readonly Drill[]): Drill =>
  together('neglected moderation, wrong curtain, stopped classifier, full disk', [backlog(), wrongCurtain(), ...others])
