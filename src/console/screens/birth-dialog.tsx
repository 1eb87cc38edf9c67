import { type FormEvent, useId, useState } from 'react'
import { birthError, dayOf, isoDay, parseDay } from '../../account/rules/age.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import styles from './case.module.css'
import { useConsole } from './context.ts'

type BirthDialogProps = {
  name: string
  /** Null where nothing is stored: at the welcome page the date was that of a minor. */
  dateOfBirth: string | null
  /** Blocked as a minor. */
  isBlocked: boolean
  close: () => void
}

/** Corrects a date of birth, which users cannot change themselves. */
export function BirthDialog({ name, dateOfBirth, isBlocked, close }: BirthDialogProps) {
  const store = useConsole()
  const form = useId()
  const [chosen, setChosen] = useState(dateOfBirth ?? '')
  const today = dayOf(Date.now())
  const error = birthError(parseDay(chosen), today)
  const isMinor = error === 'underage'
  const mayCorrect = (error === null || isMinor) && chosen !== dateOfBirth && !store.busy.value

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault()
    if (!mayCorrect) return
    await store.correctBirth(chosen)
    close()
  }

  return (
    <Dialog
      title={`Correct the date of birth of ${name}?`}
      onClose={close}
      actions={
        <>
          <Button look="quiet" safe onClick={close}>
            Cancel
          </Button>
          <Button type="submit" form={form} look={isMinor ? 'bad' : 'primary'} disabled={!mayCorrect}>
            {isMinor ? 'Correct and block' : 'Correct'}
          </Button>
        </>
      }
    >
      <p>Correct it only if the person has shown that it is wrong. The correction is in the audit.</p>
      <form id={form} className={styles.form} onSubmit={(event) => void submit(event)}>
        <label>
          Date of birth
          <input
            type="date"
            required
            max={isoDay(today)}
            value={chosen}
            onChange={(event) => setChosen(event.target.value)}
          />
        </label>
        <p role="status">
          {isMinor && 'This is the date of a minor: they are blocked for good.'}
          {error === null && isBlocked && 'They are let in again.'}
          {error === null && isBlocked && dateOfBirth === null && ' They enter the date themselves.'}
        </p>
      </form>
    </Dialog>
  )
}
