import type { Shared } from '#protocol/hub.ts'
import type { Language } from '#protocol/languages.ts'
import { formatLanguageNames, formatList } from '../../platform/texts/formats.ts'
import type { Translate } from '../../platform/texts/texts.ts'

/** Returns an empty text if nothing is shared. */
export function sharedText(t: Translate, language: Language, shared: Shared): string {
  const languages = formatList(language, formatLanguageNames(language, shared.languages))
  const interests = formatList(language, shared.interests)
  if (languages === '') return interests === '' ? '' : t('shared.interests', { interests })
  return interests === '' ? t('shared.languages', { languages }) : t('shared.both', { languages, interests })
}
