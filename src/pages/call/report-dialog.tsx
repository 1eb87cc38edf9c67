import { useComputed } from '@preact/signals-react'
import { type FormEvent, useId, useState } from 'react'
import type { ReportType } from '#protocol/hub.ts'
import type { CurtainSeen } from '#protocol/reports.ts'
import { Button } from '../../parts/button.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { PeerName } from '../../parts/peer-name.tsx'
import { useTexts } from '../../parts/use-texts.ts'
import { useStores } from '../../stores/stores.ts'
import styles from './report-dialog.module.css'
import { detailsOf, noReason, ReportReason } from './report-reason.tsx'

const choices = [
  { type: 'ReportOnly', name: 'call.report.only', text: 'call.report.only.text' },
  { type: 'BlockAndReport', name: 'call.report.block', text: 'call.report.block.text' },
] as const

type ReportDialogProps = {
  open: boolean
  /** What the safety check saw in this call when the dialog was opened; null if it did not look. */
  seen: CurtainSeen | null
  onClose: () => void
}

/** Reports the peer, also after the call has ended, or leaves the call without a report and without the wait of Exit. */
export function ReportDialog({ open, seen, onClose }: ReportDialogProps) {
  const { call } = useStores()
  const t = useTexts()
  const isOver = useComputed(() => call.phase.value === 'reporting').value
  const [report, setReport] = useState<ReportType>('ReportOnly')
  const [entry, setEntry] = useState(noReason)
  const form = useId()

  // The dialog stays mounted for the next time.
  function close(): void {
    setReport('ReportOnly')
    setEntry(noReason)
    onClose()
  }

  function drop(): void {
    call.dispatch({ type: 'report-dropped' })
    close()
  }

  function submit(event: FormEvent): void {
    event.preventDefault()
    call.dispatch({ type: 'report-chosen', report, details: detailsOf(entry, seen) })
    close()
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
            <Button look="quiet" onClick={() => call.dispatch({ type: 'leave-now-pressed' })}>
              {t('call.report.leave-now')}
            </Button>
            <Button look="quiet" safe onClick={drop}>
              {t('call.report.cancel')}
            </Button>
          </div>
        </>
      }
    >
      <p className={styles.peer}>
        <PeerName />
      </p>
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
