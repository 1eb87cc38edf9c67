import { VALID } from '#protocol/rest.ts'
import type { Answer } from './call-route.ts'
import type { HttpDeps } from './deps.ts'
import { LOG_RATE } from './rates.ts'
import { idempotencyKey } from './repeats.ts'

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
      await store.logs.add(input, idempotencyKey(request), clock.now())
      return VALID
    },
    LOG_RATE,
  )
}
