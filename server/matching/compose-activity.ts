import type { Platform } from '../platform/platform.ts'
import { type Activity, createActivity } from './rules/activity.ts'

/** The counts of users who search and talk: of all servers with the same Redis, or of this one. */
export async function composeActivity({ app, redis, clock, newId, log }: Platform): Promise<Activity> {
  if (!redis) return createActivity()
  const { shareActivity } = await import('./redis/shared-activity.ts')
  return shareActivity(app, { client: redis, newId, clock, log })
}
