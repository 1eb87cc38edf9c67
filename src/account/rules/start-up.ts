import { parseProfileCookie, parseSessionCookie } from '#protocol/cookies.ts'
import { AppError } from '#protocol/errors.ts'
import type { OnlineCounts } from '#protocol/online-counts.ts'
import type { BlockState, DeletionWait, Start } from '#protocol/start.ts'

/** The server's data for the dashboard; a part is missing if the server did not send it. */
export type FirstAnswers = {
  lobby?: { block: BlockState } & OnlineCounts
  deletion?: DeletionWait
}

/** The first screen of a visit, which depends on the login session and the profile of this browser. */
export type StartUp = { sessionId: string; clockOffsetMs: number; wantsEntry: boolean } & (
  | { to: 'login' }
  | { to: 'dashboard'; email: string; nickName: string; first: FirstAnswers }
)

/** Evaluates the server's response to the start (docs/product.md START-5 to START-7). Throws an AppError if the visit cannot continue. */
export function startUp(start: Start, now: number): StartUp {
  const clockOffsetMs = Number.isFinite(start.timestamp) ? start.timestamp - now : 0

  const session = parseSessionCookie(start.session)
  if (!session) throw new AppError('cookie-invalid', 'Cookie value missing or invalid', { cookie: 'session' })
  const visit = { sessionId: session.id, clockOffsetMs, wantsEntry: start.wantsEntry }

  if (session.type === 'new') return { ...visit, to: 'login' }

  const profile = start.profile === null ? null : parseProfileCookie(start.profile)
  if (!profile || !start.isSignedIn) return { ...visit, to: 'login' }
  return { ...visit, to: 'dashboard', ...profile, first: firstAnswers(start) }
}

function firstAnswers({ block, deletion, onlineUsers, talkingUsers }: Start): FirstAnswers {
  return { ...(block && { lobby: { block, onlineUsers, talkingUsers } }), ...(deletion && { deletion }) }
}
