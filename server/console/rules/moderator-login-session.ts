import { CONSOLE_IDLE_MS, CONSOLE_LOGIN_SESSION_MS } from '#protocol/console.ts'
import type { ModeratorLoginSession } from './ports.ts'

type Times = Pick<ModeratorLoginSession, 'createdAt' | 'seenAt'>

/** When a login session ends, however much it is used. */
export function endOf({ createdAt }: Times): number {
  return createdAt + CONSOLE_LOGIN_SESSION_MS
}

export function isLive(session: Times, now: number): boolean {
  return now < endOf(session) && now < session.seenAt + CONSOLE_IDLE_MS
}
