import { useTexts } from '../../platform/use-texts.ts'
import { Rich } from '../../ui/rich.tsx'
import { useCall } from '../use-call.ts'
import { PeerName } from './peer-name.tsx'
import styles from './typing-note.module.css'

/** Says that the peer is typing, in a line that is always there, so that nothing moves. Announced once each time it begins. */
export function TypingNote() {
  const { typing } = useCall()
  const t = useTexts()
  return (
    <p aria-live="polite" className={styles.note}>
      {typing.isPeerTyping.value && (
        <span className={styles.text}>
          <Rich text={t('call.typing')} tags={{ name: () => <PeerName /> }} />
        </span>
      )}
    </p>
  )
}
