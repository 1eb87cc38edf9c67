import type { Platform } from '../platform/platform.ts'
import { createPresence, type Presence } from './rules/presence.ts'

/** The count of users online: of all servers with the same Redis, or of this one. */
export async function composePresence({ app, redis, clock, log }: Platform): Promise<Presence> {
  const local = createPresence(clock)
  if (!redis) return local
  const { sharePresence } = await import('./shared-presence.ts')
  return sharePresence(app, { client: redis, local, clock, log })
}
