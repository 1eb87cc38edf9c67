export const mediaTroubles = ['denied', 'dismissed', 'busy', 'absent', 'insecure', 'system'] as const

/** Why camera or microphone are unavailable. The screens have help for each. `dismissed`: the browser asks again. */
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
 * Returns the trouble, by the error names that browsers share and then by the permission. Only Chromium's messages are
 * used: Firefox and Safari give the same message whether the user or the system refused.
 */
export function troubleOf({ name, message, permission, isSecure }: Refusal): MediaTrouble {
  if (!isSecure) return 'insecure'
  if (absent.has(name)) return 'absent'
  // Capture is disabled for the whole browser.
  if (name === 'SecurityError') return 'system'
  // Either the device did not answer, or a user who did not see the question.
  if (name === 'TimeoutError') return permission === 'granted' ? 'busy' : 'dismissed'
  if (!refused.has(name)) return 'busy'
  if (/by system/i.test(message)) return 'system'
  if (permission === 'denied') return 'denied'
  if (permission === 'prompt' || /dismissed/i.test(message)) return 'dismissed'
  // The user has granted the permission, so the system or a policy refused.
  return permission === 'granted' ? 'system' : 'denied'
}
