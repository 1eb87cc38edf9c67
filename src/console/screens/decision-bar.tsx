import { type Verdict, verdictSchema } from '#protocol/moderation.ts'
import { Button } from '../../ui/button.tsx'
import styles from './case.module.css'
import { useConsole } from './context.ts'
import { verdictTexts } from './texts.ts'
import { useKeys } from './use-keys.ts'

type DecisionBarProps = { verdicts: readonly Verdict[]; choose: (verdict: Verdict) => void }

/** Buttons of the verdicts that the status allows, each with its number key. */
export function DecisionBar({ verdicts, choose }: DecisionBarProps) {
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
          look={verdict === 'block' ? 'bad' : 'quiet'}
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
