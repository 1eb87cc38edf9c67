import { useId } from 'react'
import { isOneOf } from '#protocol/checks.ts'
import { type CurtainSeen, REPORT_NOTE_MAX, type ReportDetails, reportReasons } from '#protocol/reports.ts'
import { useTexts } from '../../platform/use-texts.ts'
import list from '../../ui/members/list-field.module.css'
import styles from './report-dialog.module.css'

const isReason = isOneOf(reportReasons)

/** What the user has entered. Nothing is sent without a reason, which nobody has to give. */
export type ReasonEntry = { reason: ReportDetails['reason'] | null; note: string; sendsSeen: boolean }

export const noReason: ReasonEntry = { reason: null, note: '', sendsSeen: false }

/** Returns what the report says besides its type. */
export function detailsOf(
  { reason, note, sendsSeen }: ReasonEntry,
  seen: CurtainSeen | null,
): ReportDetails | undefined {
  if (reason === null) return undefined
  const words = reason === 'other' ? note.trim() : ''
  return { reason, ...(words && { note: words }), ...(sendsSeen && seen && { curtain: seen }) }
}

type ReportReasonProps = {
  entry: ReasonEntry
  /** What the safety check saw in this call; null if it did not look. */
  seen: CurtainSeen | null
  onChange: (entry: ReasonEntry) => void
}

/** Asks why the peer is reported. One list, so that the dialog stays short on a small phone. */
export function ReportReason({ entry, seen, onChange }: ReportReasonProps) {
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
            // The form is not sent with it. A `maxLength` would cut a pasted text without a word.
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
