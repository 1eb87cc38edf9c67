import { useEffect, useRef } from 'react'
import { QUEUE_SIZE_EXACT_MAX } from '#protocol/constants.ts'
import type { Language } from '#protocol/languages.ts'
import { formatNumber } from '../../platform/texts/formats.ts'
import type { Translate } from '../../platform/texts/texts.ts'
import { usePlatform } from '../../platform/use-platform.ts'
import { useTexts } from '../../platform/use-texts.ts'
import { useCall } from '../use-call.ts'

/**
 * How many others search, and after a long search what can be done. Announced when it begins to say something else, not when only
 * the number changes.
 */
export function Company({ isLong }: { isLong: boolean }) {
  const { callBack, hub, search } = useCall()
  const { texts } = usePlatform()
  const t = useTexts()
  const others = hub.state.value === 'connected' ? search.others.value : null
  const speaking = others === null ? null : search.speaking.value
  const choice = callBack.choice.value
  // Not `speaking`, which the hub tells only while there are enough of them: around that number it would be announced each time.
  const meaning = [meaningOf(others), isLong, choice].join()
  const announced = useRef('')
  useEffect(() => {
    announced.current = meaning
  }, [meaning])
  const language = texts.language.value
  const sentences = [
    companyText(t, language, others, isLong),
    speakingText(t, language, speaking),
    callBackText(t, choice, isLong),
  ]
  return <p aria-live={meaning === announced.current ? 'off' : 'polite'}>{sentences.filter(Boolean).join(' ')}</p>
}

function companyText(t: Translate, language: Language, others: number | null, isLong: boolean): string {
  if (others === null) return isLong ? t('matching.long') : ''
  if (others === 0) return t(isLong ? 'matching.nobody' : 'matching.alone')
  if (others <= QUEUE_SIZE_EXACT_MAX) return t('matching.others', { count: others })
  return t('matching.many', { count: formatNumber(language, others) })
}

/** Of the others who search. Empty unless the hub has told it; hubs of before told 0 as well. */
function speakingText(t: Translate, language: Language, speaking: number | null): string {
  return speaking ? t('matching.speaking', { count: formatNumber(language, speaking) }) : ''
}

function meaningOf(count: number | null): string {
  return count === null ? 'unknown' : String(count > 0)
}

function callBackText(t: Translate, choice: 'unavailable' | 'off' | 'on' | 'blocked', isLong: boolean): string {
  if (choice === 'on') return t('matching.call-back.on')
  if (choice === 'blocked') return t('matching.call-back.blocked')
  if (!isLong) return ''
  return t(choice === 'off' ? 'matching.call-back.offer' : 'matching.call-back.title')
}
