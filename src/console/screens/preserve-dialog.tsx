import { type FormEvent, useId } from 'react'
import { useNavigate } from 'react-router-dom'
import type { Case } from '#protocol/console.ts'
import { incidentTypeSchema } from '#protocol/console-preservations.ts'
import { CONTENT_NOTICE_TEXT_MAX } from '#protocol/content-notices.ts'
import { parse } from '#protocol/parse.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import styles from './case.module.css'
import { useConsole } from './context.ts'
import { nameOf } from './texts.ts'

/** Asks what was seen, and copies the case for the authorities. */
export function PreserveDialog({ shown, close }: { shown: Case; close: () => void }) {
  const { preservations } = useConsole()
  const navigate = useNavigate()
  const form = useId()

  async function submit(event: FormEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault()
    const typed = new FormData(event.currentTarget)
    const incidentType = parse(incidentTypeSchema, typed.get('incidentType'))
    if (!(await preservations.preserve({ caseId: shown.id, incidentType, seen: String(typed.get('seen')) }))) return
    close()
    void navigate('/moderation/preservations')
  }

  return (
    <Dialog
      title={`Preserve the case of ${nameOf(shown)} for the authorities?`}
      onClose={close}
      actions={
        <>
          <Button look="quiet" safe onClick={close}>
            Cancel
          </Button>
          <Button type="submit" form={form} disabled={preservations.busy.value}>
            Preserve
          </Button>
        </>
      }
    >
      <p>
        Only for apparent child abuse. Everything that is stored about the case is copied as it is now, and stays when
        the account is deleted. Another moderator must confirm it before it can be exported. Decide the case afterwards:
        a block deletes its pictures.
      </p>
      <form id={form} className={styles.form} onSubmit={(event) => void submit(event)}>
        <label>
          Incident type
          <select name="incidentType">
            {incidentTypeSchema.options.map((type) => (
              <option key={type}>{type}</option>
            ))}
          </select>
        </label>
        <label>
          What was seen, in your own words
          <textarea name="seen" rows={5} required maxLength={CONTENT_NOTICE_TEXT_MAX} />
        </label>
      </form>
    </Dialog>
  )
}
