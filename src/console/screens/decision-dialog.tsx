import { type FormEvent, useId } from 'react'
import { type Case, NOTE_MAX } from '#protocol/console.ts'
import { type Rule, ruleSchema, type Verdict } from '#protocol/moderation.ts'
import { parse } from '#protocol/parse.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import styles from './case.module.css'
import { useConsole } from './context.ts'
import { nameOf, ruleTexts, verdictEffects, verdictTexts } from './texts.ts'

type DecisionDialogProps = { shown: Case; verdict: Verdict; close: () => void }

/** Returns the preselected rule. */
function likelyRule({ kinds, history }: Case): Rule {
  if (kinds.includes('findings')) return 'no-explicit-content'
  return history[0]?.rule ?? 'guidelines'
}

/** Asks for rule and note, and for confirmation. */
export function DecisionDialog({ shown, verdict, close }: DecisionDialogProps) {
  const store = useConsole()
  const form = useId()

  async function submit(event: FormEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault()
    const fields = new FormData(event.currentTarget)
    const rule = parse(ruleSchema, fields.get('rule'))
    await store.decide({ verdict, rule, note: String(fields.get('note')) })
    close()
  }

  return (
    <Dialog
      title={`${verdictTexts[verdict]} ${nameOf(shown)}?`}
      onClose={close}
      actions={
        <>
          <Button look="quiet" safe onClick={close}>
            Cancel
          </Button>
          <Button
            type="submit"
            form={form}
            look={verdict === 'block' || verdict === 'suspend' ? 'bad' : 'primary'}
            disabled={store.busy.value}
          >
            {verdictTexts[verdict]}
          </Button>
        </>
      }
    >
      <p>{verdictEffects[verdict]}</p>
      <form id={form} className={styles.form} onSubmit={(event) => void submit(event)}>
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
      </form>
    </Dialog>
  )
}
