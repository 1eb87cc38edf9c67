import { Link } from 'react-router-dom'
import type { Case } from '#protocol/console.ts'
import styles from './case.module.css'
import { dateText, spanText } from './texts.ts'

type CaseReportsProps = { title: string; reports: Case['openReports']; none?: string }

/** Who reported, how much their word has been worth, and how long the two had talked. Reporters have no names here. */
export function CaseReports({ title, reports, none }: CaseReportsProps) {
  return (
    <section className={styles.section}>
      <h3 className={styles.heading}>{title}</h3>
      {reports.length === 0 && <p className={styles.muted}>{none}</p>}
      <ul className={styles.entries}>
        {reports.map((report) => (
          <li key={`${report.session} ${report.reporterCase}`} className={styles.entry}>
            <p>
              <Link to={`/moderation/${report.reporterCase}`} className={styles.alias}>
                {report.reporter}
              </Link>{' '}
              {report.type === 'BlockAndReport' ? 'blocked and reported' : 'reported'} on {dateText(report.at)}
            </p>
            <p className={styles.muted}>
              {[
                report.callMs === null ? 'No call' : `Call of ${spanText(report.callMs)}`,
                recordText(report),
                report.outcome === null ? `weight ${report.weight.toFixed(2)}` : report.outcome,
                ...(report.retaliation ? ['answers a report'] : []),
              ].join(' · ')}
            </p>
          </li>
        ))}
      </ul>
    </section>
  )
}

function recordText({ upheld, dismissed }: { upheld: number; dismissed: number }): string {
  const decided = upheld + dismissed
  return decided === 0 ? 'no earlier report decided' : `${upheld} of ${decided} earlier reports right`
}
