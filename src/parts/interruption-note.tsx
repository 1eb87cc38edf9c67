import type { Interruption } from '../stores/interruptions.ts'
import { useStores } from '../stores/stores.ts'
import { useTexts } from './use-texts.ts'

/** Returns the text about an interrupted camera or microphone and its remedy; short, because it is also shown in a small picture. */
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

/** Shows the text during the interruption. Must be rendered in a live region. */
export function InterruptionNote({ className }: { className?: string | undefined }) {
  const { devices } = useStores()
  const t = useTexts()
  const interruption = devices.interruption.value
  return interruption && <p className={className}>{t(interruptionText(interruption))}</p>
}
