import { useStores } from '../../stores/stores.ts'
import styles from './case-facts.module.css'
import { causeTexts, nextTexts, ruleTexts } from './case-words.ts'

/** What was reported, which rule, what happens next, until when. Nothing where the server does not say. */
export function CaseFacts() {
  const { lobby } = useStores()
  const known = lobby.blockCase.value
  if (!known) return null
  return (
    <dl className={styles.facts}>
      <dt>What happened</dt>
      <dd>{causeTexts[known.what]}</dd>
      <dt>Rule</dt>
      <dd>{ruleTexts[known.rule]}</dd>
      <dt>What happens next</dt>
      <dd>{nextTexts[known.next]}</dd>
      <dt>From</dt>
      <dd>
        <Day at={known.since} />
      </dd>
      <dt>Until</dt>
      <dd>{known.until === null ? 'For good' : <Day at={known.until} />}</dd>
    </dl>
  )
}

function Day({ at }: { at: number }) {
  const day = new Date(at)
  return <time dateTime={day.toISOString()}>{day.toLocaleDateString(undefined, { dateStyle: 'long' })}</time>
}
