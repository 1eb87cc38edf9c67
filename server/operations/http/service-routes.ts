import * as v from 'valibot'
import { LOG_BATCH_ENTRIES, VALID } from '#protocol/constants.ts'
import type { LogLevel } from '#protocol/fields.ts'
import type { LogEntry } from '#protocol/log-entry.ts'
import { listOf } from '#protocol/parse.ts'
import type { Answer } from '../../platform/http/call-route.ts'
import type { HttpDeps } from '../../platform/http/deps.ts'
import { LOG_RATE } from '../../platform/http/rates.ts'
import { idempotencyKey } from '../../platform/http/repeats.ts'
import { cleanLogs } from './clean-logs.ts'

/** Browsers send entries of level Trace as Info. */
function isWantedAmong(levels: readonly LogLevel[]) {
  return ({ logLevel }: LogEntry) => levels.includes(logLevel) || (logLevel === 'Info' && levels.includes('Trace'))
}

/** The endpoints for the server's time, the number of users online, and log batches. */
export function serviceRoutes(answer: Answer, { settings, store, clock, presence, frameWatch }: HttpDeps): void {
  answer('readServerTime', () => {
    const now = clock.now()
    return { timestamp: now, time: new Date(now).toISOString() }
  })

  // Only the dashboard requests this, every 10 s.
  answer('readOnlineUsers', ({ caller }) => {
    if (caller) frameWatch.heardOnDashboard(caller.account.id)
    return { onlineUsers: presence.count() }
  })

  if (settings.clientLogs.length === 0) {
    // Accepts and drops batches: pages that were loaded before client logs were turned off would resend a refused batch.
    answer('addLogs', () => VALID, LOG_RATE, listOf(v.unknown(), LOG_BATCH_ENTRIES))
    return
  }

  const isWanted = isWantedAmong(settings.clientLogs)
  answer(
    'addLogs',
    async ({ input, request }) => {
      // A batch that is stored already counts as added: the sender can drop it.
      await store.logs.add(await cleanLogs(input.filter(isWanted)), idempotencyKey(request), clock.now())
      return VALID
    },
    LOG_RATE,
  )
}
