import { useEffect, useRef, useState } from 'react'
import { LONG_SEARCH_MS, QUEUE_SIZE_EXACT_MAX } from '#protocol/constants.ts'
import type { Language } from '#protocol/languages.ts'
import { Button } from '../../parts/button.tsx'
import { useTexts } from '../../parts/use-texts.ts'
import { useStores } from '../../stores/stores.ts'
import type { Translate } from '../../stores/texts.ts'
import { formatNumber } from '../../texts/formats.ts'
import styles from './search-note.module.css'

/** How many others search, and the offer to be called back; after `LONG_SEARCH_MS` without a match it says what else can be done. */
export function SearchNote() {
  const { call, callBack } = useStores()
  const t = useTexts()
  const isLong = useLongSearch(call.phase.value === 'searching')
  const choice = callBack.choice.value
  return (
    <div className={styles.note}>
      <Company isLong={isLong} />
      <div className={styles.actions}>
        {choice !== 'unavailable' && (
          <Button
            look="quiet"
            aria-pressed={choice === 'on'}
            className={styles.callBack}
            onClick={() => void callBack.press()}
          >
            {choice === 'on' && <span aria-hidden="true">✓</span>}
            {t('matching.call-back')}
          </Button>
        )}
        {isLong && (
          <Button look="plain" onClick={() => call.dispatch({ type: 'cancel-pressed' })}>
            {t('matching.to-dashboard')}
          </Button>
        )}
      </div>
    </div>
  )
}

/** Announced when it begins to say something else, not when only the number changes. */
function Company({ isLong }: { isLong: boolean }) {
  const { callBack, hub, search, texts } = useStores()
  const t = useTexts()
  const others = hub.state.value === 'connected' ? search.others.value : null
  const choice = callBack.choice.value
  const meaning = [others === null ? 'unknown' : others > 0, isLong, choice].join()
  const announced = useRef('')
  useEffect(() => {
    announced.current = meaning
  }, [meaning])
  const sentences = [companyText(t, texts.language.value, others, isLong), callBackText(t, choice, isLong)]
  return (
    <p aria-live={meaning === announced.current ? 'off' : 'polite'} className={styles.company}>
      {sentences.filter(Boolean).join(' ')}
    </p>
  )
}

function companyText(t: Translate, language: Language, others: number | null, isLong: boolean): string {
  if (others === null) return isLong ? t('matching.long') : ''
  if (others === 0) return t(isLong ? 'matching.nobody' : 'matching.alone')
  if (others <= QUEUE_SIZE_EXACT_MAX) return t('matching.others', { count: others })
  return t('matching.many', { count: formatNumber(language, others) })
}

function callBackText(t: Translate, choice: 'unavailable' | 'off' | 'on' | 'blocked', isLong: boolean): string {
  if (choice === 'on') return t('matching.call-back.on')
  if (choice === 'blocked') return t('matching.call-back.blocked')
  if (!isLong) return ''
  return t(choice === 'off' ? 'matching.call-back.offer' : 'matching.call-back.title')
}

/** True once a search has taken `LONG_SEARCH_MS`. */
function useLongSearch(isSearching: boolean): boolean {
  const [isLong, setLong] = useState(false)
  useEffect(() => {
    if (!isSearching) return
    const timer = setTimeout(() => setLong(true), LONG_SEARCH_MS)
    return () => {
      clearTimeout(timer)
      setLong(false)
    }
  }, [isSearching])
  return isLong
}
