import { Link } from 'react-router-dom'
import type { Case } from '#protocol/console.ts'
import styles from './case.module.css'
import { agreementTexts, counted, dateText, dueText, reasonTexts, spanText } from './texts.ts'

type CaseReportsProps = { title: string; reports: Case['openReports']; none?: string }

/** Reports with their reporter's record and the length of the call. Reporters are shown by case id, not by name. */
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
            <Reason report={report} />
            <p className={styles.muted}>
              {[
                report.callMs === null ? 'No call' : `Call of ${spanText(report.callMs)}`,
                ...seenText(report),
                recordText(report),
                reporterText(report),
                report.outcome === null ? `weight ${report.weight.toFixed(2)}` : report.outcome,
                ...(report.retaliation ? ['answers a report'] : []),
                ...(report.outweighed ? ['the two reported each other, and the reporter is known from others'] : []),
                ...(report.outcome === null ? [ownCameraText(report)] : []),
              ].join(' · ')}
            </p>
            {report.outcome === null && <Agreement report={report} />}
          </li>
        ))}
      </ul>
    </section>
  )
}

type Report = Case['openReports'][number]

/** Why the reporter reported, in the reporter's own words if there are any, and until when an open report must be decided. */
function Reason({ report: { reason, note, curtain, dueAt, outcome } }: { report: Report }) {
  const clock = outcome === null && dueAt !== null ? `${dateText(dueAt)}, ${dueText(dueAt, Date.now())}` : null
  return (
    <>
      <p>
        <strong>{reason === null ? 'No reason given' : reasonTexts[reason]}</strong>
        {clock && ` · to be decided by ${clock}`}
      </p>
      {note && <blockquote dir="auto">{note}</blockquote>}
      {curtain && (
        <p className={styles.muted}>
          The reporter’s safety check flagged {curtain.flagged} of {counted(curtain.looks, 'look')} ({curtain.model}).
          Sent by the reporter’s browser: could be forged.
        </p>
      )}
    </>
  )
}

/** How the pictures of both sides compare. A contradiction stands out; it does not say which side is right. */
function Agreement({ report: { agreement } }: { report: Report }) {
  const text = agreementTexts[agreement]
  return agreement === 'disagree' ? (
    <p>
      <strong>{text}</strong>
    </p>
  ) : (
    <p className={styles.muted}>{text}</p>
  )
}

/** Texts about which sides confirmed that the other's picture arrived. Empty unless there was a call. */
function seenText({ callMs, reporterSaw, reportedSaw }: Report): string[] {
  if (callMs === null) return []
  if (reporterSaw && reportedSaw) return ['both saw each other']
  return [
    reporterSaw
      ? 'the reported side did not confirm a picture'
      : reportedSaw
        ? 'the reporter did not confirm a picture'
        : 'neither side confirmed a picture',
  ]
}

/** Whether the reported user's browser sent its own picture. Pictures are deleted with the decision. */
function ownCameraText({ sentOwnCamera }: Report): string {
  return sentOwnCamera ? 'the reported side sent its own picture' : 'no picture of the reported side'
}

function reporterText({ at, reporterSince, keptCalls, earlierToday, standing }: Report): string {
  const parts = [
    `account of ${spanText(at - reporterSince)}`,
    counted(keptCalls, 'kept call'),
    ...(earlierToday > 0 ? [`${counted(earlierToday, 'other report')} that day`] : []),
  ]
  return `${standing ? 'reporter with standing' : 'reporter without standing'}: ${parts.join(', ')}`
}

function recordText({ upheld, dismissed }: { upheld: number; dismissed: number }): string {
  const decided = upheld + dismissed
  return decided === 0 ? 'no earlier report decided' : `${upheld} of ${decided} earlier reports right`
}
