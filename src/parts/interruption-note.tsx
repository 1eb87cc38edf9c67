import type { Interruption } from '../stores/devices.ts'
import { useStores } from '../stores/stores.ts'

const names = { video: 'Camera', audio: 'Microphone' } as const

/** What happened to the own camera or microphone, and what to do about it; short, since it stands in a small picture too. */
export function interruptionText(interruption: Interruption): string {
  const name = names[interruption.kind]
  if (interruption.what === 'paused') return `${name} paused by a call or another app.`
  switch (interruption.trouble) {
    case null:
      return `${name} lost. Looking for another...`
    case 'busy':
      return `${name} in use by another program.`
    case 'denied':
    case 'dismissed':
      return `${name} blocked. Allow it in the site settings.`
    case 'system':
      return `${name} blocked by your device. Allow it in the privacy settings.`
    default:
      return `${name} lost. Plug it in or choose another.`
  }
}

/** Says it for as long as it is so; to be shown where changes are announced. */
export function InterruptionNote({ className }: { className?: string | undefined }) {
  const { devices } = useStores()
  const interruption = devices.interruption.value
  return interruption && <p className={className}>{interruptionText(interruption)}</p>
}
