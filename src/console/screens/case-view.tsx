import { type ReactNode, useState } from 'react'
import { Link } from 'react-router-dom'
import type { Case } from '#protocol/console.ts'
import type { Verdict } from '#protocol/moderation.ts'
import { Button } from '../../ui/button.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import { BirthDialog } from './birth-dialog.tsx'
import styles from './case.module.css'
import { CaseEvidence } from './case-evidence.tsx'
import { CaseHistory } from './case-history.tsx'
import { CaseReports } from './case-reports.tsx'
import { CaseSignals } from './case-signals.tsx'
import { useConsole } from './context.ts'
import { DecisionBar } from './decision-bar.tsx'
import { DecisionDialog } from './decision-dialog.tsx'
import { PreserveDialog } from './preserve-dialog.tsx'
import { counted, dateText, dueText, kindTexts, nameOf, reasonTexts, statusTexts } from './texts.ts'

/** One case with all its facts and the possible decisions. */
export function CaseView() {
  const store = useConsole()
  const shown = store.openCase.value
  const [verdict, setVerdict] = useState<Verdict | null>(null)
  return (
    <>
      <Link to="/moderation" className={styles.back}>
        Back to the queue
      </Link>
      {store.missing.value ? (
        <p>There is no such case.</p>
      ) : shown ? (
        <article className={styles.view} aria-label={`Case of ${nameOf(shown)}`}>
          <Head key={shown.id} shown={shown} />
          <CaseReports title="Open reports" reports={shown.openReports} none="No report is open." />
          <CaseEvidence shown={shown} />
          <CaseSignals shown={shown} />
          <CaseHistory history={shown.history} />
          {shown.closedReports.length > 0 && <CaseReports title="Earlier reports" reports={shown.closedReports} />}
          <DecisionBar verdicts={shown.verdicts} choose={setVerdict} />
          {verdict && <DecisionDialog key={verdict} shown={shown} verdict={verdict} close={() => setVerdict(null)} />}
        </article>
      ) : (
        <Spinner label="Loading the case" />
      )}
    </>
  )
}

function Head({ shown }: { shown: Case }) {
  const { id, status, until, kinds, weight, openedAt, dueAt, createdAt, dateOfBirth, earlier, priority } = shown
  const [correcting, setCorrecting] = useState(false)
  const [preserving, setPreserving] = useState(false)
  const isCorrectable = dateOfBirth !== null || shown.isBlockedForBirth
  return (
    <header className={styles.head}>
      <h2 className={styles.title}>{nameOf(shown)}</h2>
      <p className={styles.id}>{id}</p>
      <dl className={styles.facts}>
        <Fact name="Status">
          {statusTexts[status]}
          {until !== null && ` until ${dateText(until)}`}
        </Fact>
        <Fact name="Open">{kinds.map((kind) => kindTexts[kind]).join(', ') || 'Nothing'}</Fact>
        {priority && <Fact name="To be decided first">{reasonTexts[priority.reason]}</Fact>}
        {earlier && (
          <Fact name="Open when an earlier account was deleted">
            {`${counted(earlier.reports, 'report')}, ${counted(earlier.findings, 'flagged frame')}`}
          </Fact>
        )}
        {weight > 0 && <Fact name="Weight">{weight}</Fact>}
        {openedAt !== null && <Fact name="Since">{dateText(openedAt)}</Fact>}
        {dueAt !== null && <Fact name="Deadline">{`${dateText(dueAt)} (${dueText(dueAt, Date.now())})`}</Fact>}
        <Fact name="Account made">{dateText(createdAt)}</Fact>
        {dateOfBirth !== null && <Fact name="Date of birth">{dateOfBirth}</Fact>}
      </dl>
      {isCorrectable && (
        <Button look="plain" className={styles.correct} onClick={() => setCorrecting(true)}>
          Correct the date of birth
        </Button>
      )}
      <Button look="plain" className={styles.correct} onClick={() => setPreserving(true)}>
        Preserve for the authorities
      </Button>
      {preserving && <PreserveDialog shown={shown} close={() => setPreserving(false)} />}
      {correcting && (
        <BirthDialog
          name={nameOf(shown)}
          dateOfBirth={dateOfBirth}
          isBlocked={shown.isBlockedForBirth}
          close={() => setCorrecting(false)}
        />
      )}
    </header>
  )
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}
