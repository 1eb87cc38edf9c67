import { type ReactNode, useState } from 'react'
import type { Case } from '#protocol/console.ts'
import { type Verdict, verdictSchema } from '#protocol/moderation.ts'
import { Button } from '../../ui/button.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import styles from './case.module.css'
import { BirthDialog, DecisionDialog, PreserveDialog } from './case-dialogs.tsx'
import { CaseEvidence, CaseReports } from './case-reports.tsx'
import { useConsole, useKeys } from './hooks.ts'
import {
  actorText,
  causeTexts,
  counted,
  dateText,
  dueText,
  kindTexts,
  nameOf,
  reasonTexts,
  ruleTexts,
  spanText,
  statusTexts,
  verdictTexts,
} from './texts.ts'

/** Shows a case with all its facts and the possible decisions. */
export function CaseView() {
  const store = useConsole()
  const shown = store.openCase.value
  const [verdict, setVerdict] = useState<Verdict | null>(null)
  if (store.missing.value) return <p>There is no such case.</p>
  if (!shown) return <Spinner label="Loading the case" />
  return (
    <article className={styles.view} aria-label={`Case of ${nameOf(shown)}`}>
      <Head key={shown.id} shown={shown} />
      <CaseReports title="Open reports" reports={shown.openReports} none="No report is open." />
      <CaseEvidence evidence={shown.evidence} />
      <Signals shown={shown} />
      <History history={shown.history} />
      {shown.closedReports.length > 0 && <CaseReports title="Earlier reports" reports={shown.closedReports} />}
      <DecisionBar verdicts={shown.verdicts} choose={setVerdict} />
      {verdict && <DecisionDialog key={verdict} shown={shown} verdict={verdict} close={() => setVerdict(null)} />}
    </article>
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
        <Button variant="plain" className={styles.correct} onClick={() => setCorrecting(true)}>
          Correct the date of birth
        </Button>
      )}
      <Button variant="plain" className={styles.correct} onClick={() => setPreserving(true)}>
        Preserve for the authorities
      </Button>
      {preserving && <PreserveDialog shown={shown} close={() => setPreserving(false)} />}
      {correcting && <BirthDialog shown={shown} close={() => setCorrecting(false)} />}
    </header>
  )
}

export function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}

/** What the server found: flagged, missing or unchanged frames, and traces shared with a blocked user. */
function Signals({ shown: { foundFrames, liveness, risk } }: { shown: Case }) {
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

/** Shows every status change with its actor and reason, newest first. */
function History({ history }: { history: Case['history'] }) {
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

type DecisionBarProps = { verdicts: readonly Verdict[]; choose: (verdict: Verdict) => void }

/** Buttons of the verdicts that the status allows, each with its number key. */
function DecisionBar({ verdicts, choose }: DecisionBarProps) {
  const busy = useConsole().busy.value
  const open = (verdict: Verdict) => verdicts.includes(verdict) && !busy
  useKeys(
    Object.fromEntries(
      verdictSchema.options.map((verdict, index) => [
        String(index + 1),
        () => {
          if (open(verdict)) choose(verdict)
        },
      ]),
    ),
  )
  return (
    <div role="toolbar" aria-label="Decide" className={styles.decisions}>
      {verdictSchema.options.map((verdict, index) => (
        <Button
          key={verdict}
          variant={verdict === 'block' ? 'bad' : 'quiet'}
          disabled={!open(verdict)}
          aria-keyshortcuts={String(index + 1)}
          onClick={() => choose(verdict)}
        >
          {verdictTexts[verdict]}
          <span className={styles.key} aria-hidden="true">
            {index + 1}
          </span>
        </Button>
      ))}
    </div>
  )
}
