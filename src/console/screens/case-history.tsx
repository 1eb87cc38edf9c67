import type { Case } from '#protocol/console.ts'
import styles from './case.module.css'
import { actorText, causeTexts, dateText, ruleTexts, statusTexts } from './texts.ts'

/** Every status change with its actor and reason, newest first. */
export function CaseHistory({ history }: { history: Case['history'] }) {
  return (
    <section className={styles.section}>
      <h3 className={styles.heading}>History</h3>
      {history.length === 0 && <p className={styles.muted}>Nothing has happened before.</p>}
      <ol className={styles.entries}>
        {history.map(({ from, to, by, moderator, what, rule, reason, at, until }) => (
          <li key={`${at} ${from} ${to}`} className={styles.entry}>
            <p>
              {statusTexts[from]} → <strong>{statusTexts[to]}</strong> by {actorText(by, moderator)} on {dateText(at)}
            </p>
            <p className={styles.muted}>
              {`${ruleTexts[rule]} · because of ${causeTexts[what]}`}
              {until !== null && ` · until ${dateText(until)}`}
            </p>
            <p>{reason}</p>
          </li>
        ))}
      </ol>
    </section>
  )
}
