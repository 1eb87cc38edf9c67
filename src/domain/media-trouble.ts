/** Why there is no camera or microphone, each with help of its own. */
export type MediaTrouble = 'denied' | 'dismissed' | 'busy' | 'absent' | 'insecure' | 'system'

type Refusal = {
  /** The name and text of what the browser threw. */
  name: string
  message: string
  /** What the browser says of the permission afterwards; null where it says nothing. */
  permission: 'granted' | 'denied' | 'prompt' | null
  isSecure: boolean
}

const absent = new Set(['NotFoundError', 'DevicesNotFoundError', 'OverconstrainedError', 'ConstraintNotSatisfiedError'])
const refused = new Set(['NotAllowedError', 'PermissionDeniedError', 'SecurityError'])

/** Told by the names that browsers share and, where these say too little, by Chromium's, Firefox's and Safari's words. */
export function troubleOf({ name, message, permission, isSecure }: Refusal): MediaTrouble {
  if (!isSecure) return 'insecure'
  if (absent.has(name)) return 'absent'
  if (!refused.has(name)) return 'busy'
  if (/by system|by the (?:operating )?system|platform/i.test(message) && permission !== 'denied') return 'system'
  if (/dismissed/i.test(message) || permission === 'prompt') return 'dismissed'
  // Allowed by the person and refused all the same: the system, or the page around this one.
  return permission === 'granted' ? 'system' : 'denied'
}
