import type { Interruption } from '../stores/interruptions.ts'
import { useStores } from '../stores/stores.ts'
import { useTexts } from './use-texts.ts'

/** What happened to the own camera or microphone, and what to do about it; short, since it stands in a small picture too. */
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

/** Says it for as long as it is so; to be shown where changes are announced. */
export function InterruptionNote({ className }: { className?: string | undefined }) {
  const { devices } = useStores()
  const t = useTexts()
  const interruption = devices.interruption.value
  return interruption && <p className={className}>{t(interruptionText(interruption))}</p>
}
