import { type FormEvent, type ReactNode, useId, useState } from 'react'
import type { ReportType } from '#protocol/hub.ts'
import type { CurtainSeen, ReportDetails } from '#protocol/reports.ts'
import { useTexts } from '../../platform/use-texts.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import styles from './report-dialog.module.css'
import { detailsOf, noReason, ReportReason } from './report-reason.tsx'

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
  /** What the safety check saw in this call when the dialog was opened; null if it did not look. */
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

  // The dialog stays mounted for the next time.
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
          <Button look="bad" type="submit" form={form}>
            {t('call.report.ok')}
          </Button>
          <div className={styles.ways}>
            {onLeave && (
              <Button look="quiet" onClick={onLeave}>
                {t('call.report.leave-now')}
              </Button>
            )}
            <Button look="quiet" safe onClick={drop}>
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
