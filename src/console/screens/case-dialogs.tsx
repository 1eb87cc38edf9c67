import { type ReactNode, useId, useState } from 'react'
import { useNavigate } from 'react-router-dom'
import { type Case, NOTE_MAX } from '#protocol/console.ts'
import { incidentTypeSchema } from '#protocol/console-preservations.ts'
import { CONTENT_NOTICE_TEXT_MAX } from '#protocol/content-notices.ts'
import { type Rule, ruleSchema, type Verdict } from '#protocol/moderation.ts'
import { parse } from '#protocol/parse.ts'
import { birthError, dayOf, isoDay, parseDay } from '../../account/rules/age.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import styles from './case.module.css'
import { useConsole } from './hooks.ts'
import { nameOf, ruleTexts, verdictEffects, verdictTexts } from './texts.ts'

type CaseDialogProps = { shown: Case; close: () => void }

/** Asks for the rule and a note of a decision, and for confirmation. */
export function DecisionDialog({ shown, verdict, close }: CaseDialogProps & { verdict: Verdict }) {
  const store = useConsole()

  async function submit(typed: FormData): Promise<void> {
    const rule = parse(ruleSchema, typed.get('rule'))
    await store.decide({ verdict, rule, note: String(typed.get('note')) })
    close()
  }

  return (
    <FormDialog
      title={`${verdictTexts[verdict]} ${nameOf(shown)}?`}
      explanation={verdictEffects[verdict]}
      action={verdictTexts[verdict]}
      variant={verdict === 'block' || verdict === 'suspend' ? 'bad' : 'primary'}
      disabled={store.busy.value}
      submit={submit}
      close={close}
    >
      <label>
        Rule
        <select name="rule" defaultValue={likelyRule(shown)}>
          {ruleSchema.options.map((rule) => (
            <option key={rule} value={rule}>
              {ruleTexts[rule]}
            </option>
          ))}
        </select>
      </label>
      <label>
        Note
        <textarea name="note" rows={3} required maxLength={NOTE_MAX} />
      </label>
    </FormDialog>
  )
}

/** Returns the rule that is preselected. */
function likelyRule({ kinds, history }: Case): Rule {
  if (kinds.includes('findings')) return 'no-explicit-content'
  return history[0]?.rule ?? 'guidelines'
}

/** Corrects a date of birth, which users cannot. None is stored if a minor's date was entered at the welcome. */
export function BirthDialog({ shown, close }: CaseDialogProps) {
  const { dateOfBirth, isBlockedForBirth } = shown
  const store = useConsole()
  const [chosen, setChosen] = useState(dateOfBirth ?? '')
  const today = dayOf(Date.now())
  const error = birthError(parseDay(chosen), today)
  const isMinor = error === 'underage'
  const mayCorrect = (error === null || isMinor) && chosen !== dateOfBirth && !store.busy.value

  async function submit(): Promise<void> {
    if (!mayCorrect) return
    await store.correctBirth(chosen)
    close()
  }

  return (
    <FormDialog
      title={`Correct the date of birth of ${nameOf(shown)}?`}
      explanation="Correct it only if the person has shown that it is wrong. The correction is in the audit."
      action={isMinor ? 'Correct and block' : 'Correct'}
      variant={isMinor ? 'bad' : 'primary'}
      disabled={!mayCorrect}
      submit={submit}
      close={close}
    >
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
        {error === null && isBlockedForBirth && 'They are let in again.'}
        {error === null && isBlockedForBirth && dateOfBirth === null && ' They enter the date themselves.'}
      </p>
    </FormDialog>
  )
}

/** Asks what the moderator has seen, and copies the case for the authorities. */
export function PreserveDialog({ shown, close }: CaseDialogProps) {
  const { preservations } = useConsole()
  const navigate = useNavigate()

  async function submit(typed: FormData): Promise<void> {
    const incidentType = parse(incidentTypeSchema, typed.get('incidentType'))
    if (!(await preservations.preserve({ caseId: shown.id, incidentType, seen: String(typed.get('seen')) }))) return
    close()
    void navigate('/moderation/preservations')
  }

  return (
    <FormDialog
      title={`Preserve the case of ${nameOf(shown)} for the authorities?`}
      explanation="Only for apparent child abuse. Everything that is stored about the case is copied as it is now, and stays when the account is deleted. Another moderator must confirm it before it can be exported. Decide the case afterwards: a block deletes its pictures."
      action="Preserve"
      disabled={preservations.busy.value}
      submit={submit}
      close={close}
    >
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
    </FormDialog>
  )
}

type FormDialogProps = {
  title: string
  explanation: string
  /** Name of the button that submits the form. */
  action: string
  variant?: 'bad' | 'primary'
  disabled: boolean
  submit: (typed: FormData) => Promise<void>
  close: () => void
  children: ReactNode
}

function FormDialog({
  title,
  explanation,
  action,
  variant = 'primary',
  disabled,
  submit,
  close,
  children,
}: FormDialogProps) {
  const form = useId()
  return (
    <Dialog
      title={title}
      onClose={close}
      actions={
        <>
          <Button variant="quiet" safe onClick={close}>
            Cancel
          </Button>
          <Button type="submit" form={form} variant={variant} disabled={disabled}>
            {action}
          </Button>
        </>
      }
    >
      <p>{explanation}</p>
      <form
        id={form}
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault()
          void submit(new FormData(event.currentTarget))
        }}
      >
        {children}
      </form>
    </Dialog>
  )
}
