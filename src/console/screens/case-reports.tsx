import { Link } from 'react-router-dom'
import type { Case, CaseEvidence as Picture } from '#protocol/console.ts'
import { Button } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import styles from './case.module.css'
import { useConsole, useKeys } from './hooks.ts'
import {
  agreementTexts,
  counted,
  dateText,
  dueText,
  evidenceTexts,
  reasonTexts,
  senderTexts,
  spanText,
} from './texts.ts'

/** Number of shown characters of a match id, enough to distinguish the matches of a case. */
const MATCH_ID_SHOWN = 8

type CaseReportsProps = { title: string; reports: Case['openReports']; none?: string }

/** Reports with their reporters' records and the length of the call. Reporters are shown by case id, not by name. */
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

/** Shows the reason of a report, with the reporter's own words if there are any, and the deadline of an open report. */
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

/** Says whether the pictures of the two sides agree. A contradiction stands out, but does not say who is right. */
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

/** Returns which side confirmed that the other side's picture arrived; empty without a call. */
function seenText({ callMs, reporterSaw, reportedSaw }: Report): string[] {
  if (callMs === null) return []
  if (reporterSaw && reportedSaw) return ['both saw each other']
  if (reporterSaw) return ['the reported side did not confirm a picture']
  return [reportedSaw ? 'the reporter did not confirm a picture' : 'neither side confirmed a picture']
}

/** Says whether the reported user's browser sent its own picture. Pictures are deleted with the decision. */
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

/** The pictures of both sides. A picture is fetched only when the moderator asks for it, and can be hidden again. */
export function CaseEvidence({ evidence }: Pick<Case, 'evidence'>) {
  const store = useConsole()
  const pictures = store.pictures.value
  const veiled = evidence.some(({ id }) => pictures.get(id)?.open !== true)

  useKeys({ e: () => void Promise.all(evidence.map(({ id }) => store.unveil(id, veiled))) })

  return (
    <section className={styles.section}>
      <h3 className={styles.heading}>Evidence</h3>
      {evidence.length === 0 ? (
        <p className={styles.muted}>There is none.</p>
      ) : (
        <p className={styles.muted}>
          A picture is what a browser sent: a hint, and no proof by itself. The server vouches for when it came, whose
          browser sent it, and the match that was on.
        </p>
      )}
      <ul className={styles.pictures}>
        {evidence.map((picture) => (
          <li key={picture.id}>
            <Frame picture={picture} />
          </li>
        ))}
      </ul>
    </section>
  )
}

function Frame({ picture: { id, kind, session, reporter, at } }: { picture: Picture }) {
  const store = useConsole()
  const loaded = store.pictures.value.get(id)
  const open = loaded?.open === true
  const name = evidenceTexts[kind]
  return (
    <figure className={styles.frame}>
      <div className={styles.picture}>
        {loaded?.url && <img src={loaded.url} alt={name} className={classNames(!open && styles.veiled)} />}
        {loaded?.state === 'broken' && <p role="alert">This is not as it was signed. Do not rely on it.</p>}
      </div>
      <figcaption>
        <p>
          {name}
          {reporter && ` · reported by ${reporter}`}
        </p>
        <p className={styles.muted}>{senderTexts[kind]}</p>
        <p className={styles.muted}>
          {dateText(at)}
          {session && ` · match ${session.slice(0, MATCH_ID_SHOWN)}`}
          {loaded?.state === 'intact' && ' · unchanged since it came'}
        </p>
        {loaded?.state !== 'broken' && (
          <Button
            variant="quiet"
            aria-label={`${open ? 'Hide' : 'Show'}: ${name}`}
            onClick={() => void store.unveil(id, !open)}
          >
            {open ? 'Hide' : 'Show'}
          </Button>
        )}
      </figcaption>
    </figure>
  )
}
