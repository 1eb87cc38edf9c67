import { CONSOLE_IDLE_MS, CONSOLE_LOGIN_SESSION_MS } from '#protocol/console.ts'
import type { ModeratorSession } from './ports.ts'

type Times = Pick<ModeratorSession, 'createdAt' | 'seenAt'>

/** When a login ends whatever is done in it. */
export function endOf({ createdAt }: Times): number {
  return createdAt + CONSOLE_LOGIN_SESSION_MS
}

export function isLive(session: Times, now: number): boolean {
  return now < endOf(session) && now < session.seenAt + CONSOLE_IDLE_MS
}
