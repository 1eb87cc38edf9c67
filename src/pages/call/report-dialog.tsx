import { type FormEvent, useId, useState } from 'react'
import type { ReportType } from '#protocol/hub.ts'
import { Button } from '../../parts/button.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { useStores } from '../../stores/stores.ts'
import styles from './report-dialog.module.css'

const choices: readonly { type: ReportType; name: string; text: string }[] = [
  { type: 'ReportOnly', name: 'Report only:', text: 'The user will be reported to moderators for review.' },
  {
    type: 'BlockAndReport',
    name: 'Block & Report:',
    text: 'The user will be blocked and also reported for investigation.',
  },
]

export function ReportDialog({ onClose }: { onClose: () => void }) {
  const { call } = useStores()
  const [report, setReport] = useState<ReportType>('ReportOnly')
  const form = useId()

  function drop(): void {
    call.dispatch({ type: 'report-dropped' })
    onClose()
  }

  function submit(event: FormEvent): void {
    event.preventDefault()
    call.dispatch({ type: 'report-chosen', report })
    onClose()
  }

  return (
    <Dialog
      title="Are you sure you want to report:"
      onClose={drop}
      actions={
        <>
          <Button look="bad" type="submit" form={form}>
            Ok
          </Button>
          <Button look="quiet" safe onClick={drop}>
            Cancel
          </Button>
        </>
      }
    >
      <p className={styles.peer}>{call.peerNickName}</p>
      <p>Blocking will stop them from contacting you again. Reporting will help us keep the community safe.</p>
      <form id={form} className={styles.choices} onSubmit={submit}>
        {choices.map(({ type, name, text }) => (
          <label key={type} className={styles.choice}>
            <input type="radio" name="report" value={type} checked={report === type} onChange={() => setReport(type)} />
            <span>
              <strong>{name}</strong> {text}
            </span>
          </label>
        ))}
      </form>
    </Dialog>
  )
}
