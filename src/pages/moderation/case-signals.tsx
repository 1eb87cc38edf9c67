import type { Case } from '#protocol/console.ts'
import styles from './case.module.css'
import { dateText } from './texts.ts'

/** What machines noticed: flagged frames, and traces that are shared with somebody who was blocked. */
export function CaseSignals({ shown: { foundFrames, risk } }: { shown: Case }) {
  return (
    <section className={styles.section}>
      <h2 className={styles.heading}>Signals</h2>
      {foundFrames.length === 0 && risk.matches.length === 0 && <p className={styles.muted}>None.</p>}
      <ul className={styles.entries}>
        {foundFrames.map(({ label, score, at, outcome }) => (
          <li key={`${at} ${label}`} className={styles.entry}>
            <p>
              A frame of {dateText(at)} looks like “{label}”, {Math.round(score * 100)} % certain
              {outcome && ` · ${outcome}`}
            </p>
          </li>
        ))}
        {risk.matches.length > 0 && (
          <li className={styles.entry}>
            <p>
              Shares {risk.matches.some(({ address }) => address) ? 'a network' : 'a kind of device'}
              {risk.matches.some(({ address, device }) => address && device) && ' and a kind of device'} with somebody
              who was blocked. Risk {Math.round(risk.score * 100)} %.
            </p>
          </li>
        )}
      </ul>
    </section>
  )
}
