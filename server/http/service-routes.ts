import * as v from 'valibot'
import { VALID } from '#protocol/rest.ts'
import type { Answer } from './call-route.ts'
import type { HttpDeps } from './deps.ts'
import { fieldError } from './problems.ts'
import { LOG_RATE } from './rates.ts'

const keySchema = v.nullable(v.pipe(v.string(), v.regex(/^[\w-]{1,128}$/)))

/** Time, online count and log batches. */
export function serviceRoutes(answer: Answer, { store, clock, presence }: HttpDeps): void {
  answer('readServerTime', () => {
    const now = clock.now()
    return { timestamp: now, time: new Date(now).toISOString() }
  })

  answer('readOnlineUsers', () => ({ onlineUsers: presence.count() }))

  answer(
    'addLogs',
    async ({ input, request }) => {
      const key = v.safeParse(keySchema, request.headers['idempotency-key'] ?? null)
      if (!key.success)
        throw fieldError('bad-request', 'Idempotency-Key', 'A key is 1 to 128 letters, digits, hyphens or underscores')
      // A batch that is here already is as good as added: the sender may forget it.
      await store.logs.add(input, key.output, clock.now())
      return VALID
    },
    LOG_RATE,
  )
}
