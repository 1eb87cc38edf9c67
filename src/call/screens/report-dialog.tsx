import { type FormEvent, type ReactNode, useId, useState } from 'react'
import { isOneOf } from '#protocol/checks.ts'
import type { ReportType } from '#protocol/hub.ts'
import { type CurtainSeen, REPORT_NOTE_MAX, type ReportDetails, reportReasons } from '#protocol/reports.ts'
import { useTexts } from '../../platform/use-texts.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import list from '../../ui/members/list-field.module.css'
import { useCall } from '../use-call.ts'
import styles from './report-dialog.module.css'

const choices = [
  { type: 'ReportOnly', name: 'call.report.only', text: 'call.report.only.text' },
  { type: 'BlockAndReport', name: 'call.report.block', text: 'call.report.block.text' },
] as const

type ReportDialogProps = {
  open: boolean
  /** The name of the peer. */
  peer: ReactNode
  /** The call has ended. */
  isOver: boolean
  /** What the safety check saw in this call until the dialog was opened; null if it was off. */
  seen: CurtainSeen | null
  onReport: (report: ReportType, details: ReportDetails | undefined) => void
  onDrop: () => void
  /** Leaves the call without a report and without the wait of Exit. */
  onLeave?: () => void
}

/** Reports a peer, also after the call has ended. */
export function ReportDialog({ open, peer, isOver, seen, onReport, onDrop, onLeave }: ReportDialogProps) {
  const t = useTexts()
  const [report, setReport] = useState<ReportType>('ReportOnly')
  const [entry, setEntry] = useState(noReason)
  const form = useId()

  // Clears the entries, since the dialog stays mounted.
  function clear(): void {
    setReport('ReportOnly')
    setEntry(noReason)
  }

  function drop(): void {
    onDrop()
    clear()
  }

  function submit(event: FormEvent): void {
    event.preventDefault()
    onReport(report, detailsOf(entry, seen))
    clear()
  }

  return (
    <Dialog
      title={t('call.report.title')}
      open={open}
      onClose={drop}
      actions={
        <>
          <Button variant="bad" type="submit" form={form}>
            {t('call.report.ok')}
          </Button>
          <div className={styles.ways}>
            {onLeave && (
              <Button variant="quiet" onClick={onLeave}>
                {t('call.report.leave-now')}
              </Button>
            )}
            <Button variant="quiet" safe onClick={drop}>
              {t('call.report.cancel')}
            </Button>
          </div>
        </>
      }
    >
      <p className={styles.peer}>{peer}</p>
      <p role="status" className={styles.over}>
        {isOver && t('call.report.over')}
      </p>
      <p>{t('call.report.why')}</p>
      <form id={form} className={styles.choices} onSubmit={submit}>
        {choices.map(({ type, name, text }) => (
          <label key={type} className={styles.choice}>
            <input type="radio" name="report" value={type} checked={report === type} onChange={() => setReport(type)} />
            <span>
              <strong>{t(name)}</strong> {t(text)}
            </span>
          </label>
        ))}
        <ReportReason entry={entry} seen={seen} onChange={setEntry} />
      </form>
      <p>{t('call.report.never-again')}</p>
    </Dialog>
  )
}

const isReason = isOneOf(reportReasons)

/** What the user has entered. A reason is optional; without one no details are sent. */
type ReasonEntry = { reason: ReportDetails['reason'] | null; note: string; sendsSeen: boolean }

const noReason: ReasonEntry = { reason: null, note: '', sendsSeen: false }

/** Returns the details of the report; undefined without a reason. */
function detailsOf({ reason, note, sendsSeen }: ReasonEntry, seen: CurtainSeen | null): ReportDetails | undefined {
  if (reason === null) return undefined
  const words = reason === 'other' ? note.trim() : ''
  return { reason, ...(words && { note: words }), ...(sendsSeen && seen && { curtain: seen }) }
}

type ReportReasonProps = {
  entry: ReasonEntry
  /** What the safety check saw in this call; null if it was off. */
  seen: CurtainSeen | null
  onChange: (entry: ReasonEntry) => void
}

/** Asks why the peer is reported. The reasons are one list, so that the dialog stays short on a small phone. */
function ReportReason({ entry, seen, onChange }: ReportReasonProps) {
  const t = useTexts()
  const id = useId()
  const length = entry.note.trim().length
  const fault = length > REPORT_NOTE_MAX ? t('call.report.note.too-long', { max: REPORT_NOTE_MAX, length }) : ''
  return (
    <>
      <div className={list.field}>
        <label htmlFor={`${id}reason`}>{t('call.report.reason')}</label>
        <select
          id={`${id}reason`}
          className={list.input}
          value={entry.reason ?? ''}
          onChange={({ target }) => onChange({ ...entry, reason: isReason(target.value) ? target.value : null })}
        >
          <option value="">{t('call.report.reason.none')}</option>
          {reportReasons.map((reason) => (
            <option key={reason} value={reason}>
              {t(`call.report.reason.${reason}`)}
            </option>
          ))}
        </select>
      </div>
      {entry.reason === 'other' && (
        <div className={list.field}>
          <label htmlFor={`${id}note`}>{t('call.report.note')}</label>
          <input
            // With a fault the form is not sent. A `maxLength` would cut a pasted text silently.
            ref={(input) => input?.setCustomValidity(fault)}
            id={`${id}note`}
            className={list.input}
            autoComplete="off"
            aria-invalid={fault !== ''}
            aria-describedby={`${id}note-why`}
            value={entry.note}
            onChange={({ target }) => onChange({ ...entry, note: target.value })}
          />
          <span id={`${id}note-why`} className={list.why} aria-live="polite">
            {fault || t('call.report.note.why')}
          </span>
        </div>
      )}
      {entry.reason !== null && seen !== null && seen.flagged > 0 && (
        <label className={styles.choice}>
          <input
            type="checkbox"
            aria-describedby={`${id}seen-why`}
            checked={entry.sendsSeen}
            onChange={({ target }) => onChange({ ...entry, sendsSeen: target.checked })}
          />
          <span>
            {t('call.report.seen')}
            <span id={`${id}seen-why`} className={list.why}>
              {t('call.report.seen.why')}
            </span>
          </span>
        </label>
      )}
    </>
  )
}

/** Reports the peer of a call that is over. The dialog stays open if the next call begins meanwhile. */
export function LastPeerDialog() {
  const { lastPeer } = useCall()
  const t = useTexts()
  const match = lastPeer.match.value
  if (!match || !lastPeer.isOpen.value) return null
  return (
    <ReportDialog
      open
      peer={match.peer?.nickName || t('toasts.unnamed-peer')}
      isOver
      seen={null}
      onReport={lastPeer.report}
      onDrop={lastPeer.close}
    />
  )
}
