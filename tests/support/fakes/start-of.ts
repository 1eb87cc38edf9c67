import type { Start } from '#protocol/start.ts'

/** The start of a visit of a signed-in user with status Valid. */
export function startOf(changed: Partial<Start> = {}): Start {
  return {
    timestamp: 0,
    session: 'visit-1#existing',
    wantsEntry: false,
    profile: 'ada%40example.org#Ada#true',
    isSignedIn: true,
    block: { status: 'Valid', case: null, notice: null },
    deletion: { deletion: null, delayDays: 3 },
    onlineUsers: 3,
    ...changed,
  }
}

/** The start of a first visit. */
export function firstVisit(): Start {
  return startOf({
    session: 'visit-1#new',
    wantsEntry: true,
    profile: null,
    isSignedIn: false,
    block: null,
    deletion: null,
  })
}
