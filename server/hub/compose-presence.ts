import type { Platform } from '../platform/platform.ts'
import { createPresence, type Presence } from './rules/presence.ts'
import { sharePresence } from './shared-presence.ts'

/** Who is online, on all servers where Redis joins them. */
export function composePresence({ app, redis, clock, log }: Platform): Presence {
  const local = createPresence(clock)
  return redis ? sharePresence(app, { client: redis, local, clock, log }) : local
}
