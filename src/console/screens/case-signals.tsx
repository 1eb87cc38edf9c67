import type { Case } from '#protocol/console.ts'
import styles from './case.module.css'
import { dateText, spanText } from './texts.ts'

/** Automatic findings: flagged frames, and traces shared with a blocked user. */
export function CaseSignals({ shown: { foundFrames, liveness, risk } }: { shown: Case }) {
  return (
    <section className={styles.section}>
      <h3 className={styles.heading}>Signals</h3>
      {foundFrames.length + liveness.length === 0 && risk.matches.length === 0 && <p className={styles.muted}>None.</p>}
      <ul className={styles.entries}>
        {foundFrames.map(({ label, score, at, outcome }) => (
          <li key={`${at} ${label}`} className={styles.entry}>
            <p>
              A frame of {dateText(at)} looks like “{label}”, {Math.round(score * 100)} % certain
              {outcome && ` · ${outcome}`}
            </p>
          </li>
        ))}
        {liveness.map(({ from, at, expected, came, black, changed, longestGapMs, sameFrameRepeated, suspicious }) => (
          <li key={at} className={styles.entry}>
            <p>
              Dashboard, {dateText(from)}, for {spanText(at - from)}
            </p>
            <p className={styles.muted}>
              {[
                `${came} of ${expected} frames came`,
                `${black} black`,
                `${changed} changed by the browser`,
                `longest gap ${spanText(longestGapMs)}`,
                `${sameFrameRepeated} alike in a row`,
                `${suspicious} suspicious`,
              ].join(' · ')}
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
