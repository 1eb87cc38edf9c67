import type { MediaKind } from '../ports.ts'
import type { MediaTrouble } from './media-trouble.ts'

/** Why an open device stopped. `trouble`: why no other device replaced a lost one; null while none was tried. */
export type Interruption =
  | { kind: MediaKind; what: 'paused' }
  | { kind: MediaKind; what: 'lost'; trouble: MediaTrouble | null }

/**
 * Returns the key of the text about an interrupted camera or microphone and what helps. The text is short, since it is
 * also shown over a small picture.
 */
export function interruptionText(interruption: Interruption) {
  return `devices.${interruption.kind}.${reasonOf(interruption)}` as const
}

function reasonOf(interruption: Interruption) {
  if (interruption.what === 'paused') return 'paused'
  switch (interruption.trouble) {
    case null:
      return 'looking'
    case 'denied':
    case 'dismissed':
      return 'blocked'
    case 'busy':
    case 'system':
      return interruption.trouble
    default:
      return 'lost'
  }
}
