export const mediaTroubles = ['denied', 'dismissed', 'busy', 'absent', 'insecure', 'system'] as const

/** Why there is no camera or microphone, each with help of its own. `dismissed`: the browser will ask again. */
export type MediaTrouble = (typeof mediaTroubles)[number]

type Refusal = {
  /** The name and text of what the browser threw. */
  name: string
  message: string
  /** What the browser says of the permission afterwards; null where it says nothing. */
  permission: 'granted' | 'denied' | 'prompt' | null
  isSecure: boolean
}

const absent = new Set(['NotFoundError', 'DevicesNotFoundError', 'OverconstrainedError', 'ConstraintNotSatisfiedError'])
const refused = new Set(['NotAllowedError', 'PermissionDeniedError'])

/**
 * Told by the names that browsers share, then by the permission. Words decide only where they are Chromium's own: Firefox
 * and Safari say the same sentence whoever refused.
 */
export function troubleOf({ name, message, permission, isSecure }: Refusal): MediaTrouble {
  if (!isSecure) return 'insecure'
  if (absent.has(name)) return 'absent'
  // Capture is switched off for the whole browser.
  if (name === 'SecurityError') return 'system'
  if (!refused.has(name)) return 'busy'
  if (/by system/i.test(message)) return 'system'
  if (permission === 'denied') return 'denied'
  if (permission === 'prompt' || /dismissed/i.test(message)) return 'dismissed'
  // Allowed by the person and refused all the same: the system, or a policy.
  return permission === 'granted' ? 'system' : 'denied'
}
