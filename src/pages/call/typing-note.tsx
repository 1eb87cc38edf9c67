import { PeerName } from '../../parts/peer-name.tsx'
import { Rich } from '../../parts/rich.tsx'
import { useTexts } from '../../parts/use-texts.ts'
import { useStores } from '../../stores/stores.ts'
import styles from './typing-note.module.css'

/** Says that the peer is typing, in a line that is always there, so that nothing moves. Announced once each time it begins. */
export function TypingNote() {
  const { typing } = useStores()
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
