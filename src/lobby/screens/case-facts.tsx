import { Fragment } from 'react'
import { formatTime } from '../../platform/texts/formats.ts'
import { usePlatform } from '../../platform/use-platform.ts'
import { useTexts } from '../../platform/use-texts.ts'
import { useLobby } from '../use-lobby.ts'
import { caseWords } from './block-words.ts'
import styles from './case-facts.module.css'

/** Shows cause, decider, rule, next step and end of the current status. Renders nothing without a case. */
export function CaseFacts() {
  const { lobby } = useLobby()
  const t = useTexts()
  const known = lobby.blockCase.value
  if (!known) return null
  return (
    <dl className={styles.facts}>
      {caseWords(known).map(([term, fact]) => (
        <Fragment key={term}>
          <dt>{t(term)}</dt>
          <dd>{t(fact)}</dd>
        </Fragment>
      ))}
      <dt>{t('cases.since')}</dt>
      <dd>
        <Day at={known.since} />
      </dd>
      <dt>{t('cases.until')}</dt>
      <dd>{known.until === null ? t('cases.for-good') : <Day at={known.until} />}</dd>
    </dl>
  )
}

function Day({ at }: { at: number }) {
  const { texts } = usePlatform()
  return <time dateTime={new Date(at).toISOString()}>{formatTime(texts.language.value, at)}</time>
}
