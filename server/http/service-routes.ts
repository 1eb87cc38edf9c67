import { VALID } from '#protocol/constants.ts'
import { LOG_MESSAGE_MAX, type LogEntry } from '#protocol/log-entry.ts'
import { redact } from '#protocol/redact.ts'
import type { Answer } from './call-route.ts'
import type { HttpDeps } from './deps.ts'
import { LOG_RATE } from './rates.ts'
import { idempotencyKey } from './repeats.ts'

/** Anybody can send a line, and an old page may send one that a new one would clean. */
function cleaned(entry: LogEntry): LogEntry {
  return { ...entry, logMessage: redact(entry.logMessage).slice(0, LOG_MESSAGE_MAX) }
}

/** Time, online count and log batches. */
export function serviceRoutes(answer: Answer, { store, clock, presence, frameWatch }: HttpDeps): void {
  answer('readServerTime', () => {
    const now = clock.now()
    return { timestamp: now, time: new Date(now).toISOString() }
  })

  // The dashboard alone asks, every 10 s.
  answer('readOnlineUsers', ({ caller }) => {
    if (caller) frameWatch.heardOnDashboard(caller.account.id)
    return { onlineUsers: presence.count() }
  })

  answer(
    'addLogs',
    async ({ input, request }) => {
      // A batch that is here already is as good as added: the sender may forget it.
      await store.logs.add(input.map(cleaned), idempotencyKey(request), clock.now())
      return VALID
    },
    LOG_RATE,
  )
}
