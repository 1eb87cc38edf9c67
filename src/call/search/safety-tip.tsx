import type { ReadonlySignal } from '@preact/signals-react'
import type { Translate } from '../../platform/texts/texts.ts'
import type { Round } from './rounds.ts'
import styles from './safety-tip.module.css'

/** Cross-fades from tip to tip. Not a live region: a screen reader would announce it every five seconds. */
export function SafetyTip({ round, t }: { round: ReadonlySignal<Round>; t: Translate }) {
  const { count, tip, tipBefore } = round.value
  return (
    <div className={styles.tips}>
      {tipBefore !== null && (
        <p key={count - 1} className={styles.old} aria-hidden="true">
          {t(`matching.tip.${tipBefore}`)}
        </p>
      )}
      <p key={count} className={styles.tip}>
        {t(`matching.tip.${tip}`)}
      </p>
    </div>
  )
}
