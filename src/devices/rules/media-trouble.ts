export const mediaTroubles = ['denied', 'dismissed', 'busy', 'absent', 'insecure', 'system'] as const

/** Why camera or microphone are unavailable; the screen has help for each. `dismissed`: the browser will ask again. */
export type MediaTrouble = (typeof mediaTroubles)[number]

type Refusal = {
  /** Name and message of the error that the browser threw. */
  name: string
  message: string
  /** State of the permission afterwards; null if the browser does not report it. */
  permission: 'granted' | 'denied' | 'prompt' | null
  isSecure: boolean
}

const absent = new Set(['NotFoundError', 'DevicesNotFoundError', 'OverconstrainedError', 'ConstraintNotSatisfiedError'])
const refused = new Set(['NotAllowedError', 'PermissionDeniedError'])

/**
 * Decides by the error names that browsers share, then by the permission. Messages are used only for Chromium: Firefox and
 * Safari have the same message for the user's and the system's refusal.
 */
export function troubleOf({ name, message, permission, isSecure }: Refusal): MediaTrouble {
  if (!isSecure) return 'insecure'
  if (absent.has(name)) return 'absent'
  // Capture is disabled for the whole browser.
  if (name === 'SecurityError') return 'system'
  // Without an answer: of the device, or of a user who did not see the question.
  if (name === 'TimeoutError') return permission === 'granted' ? 'busy' : 'dismissed'
  if (!refused.has(name)) return 'busy'
  if (/by system/i.test(message)) return 'system'
  if (permission === 'denied') return 'denied'
  if (permission === 'prompt' || /dismissed/i.test(message)) return 'dismissed'
  // The user granted it, so the system or a policy refused.
  return permission === 'granted' ? 'system' : 'denied'
}
