import type { DayPickerLocale } from '@daypicker/react'
import { useEffect, useState } from 'react'
import { type Language, PSEUDO_LANGUAGE } from '#protocol/languages.ts'

/** Loads the calendar's locale; it needs none for English. */
async function loadLocale(language: Language): Promise<DayPickerLocale | undefined> {
  if (language === 'en' || language === PSEUDO_LANGUAGE) return undefined
  return (await import('@daypicker/react/locale/es')).es
}

/** Returns the calendar's locale: null until the first is loaded, the previous one while another loads. */
export function useCalendarLocale(language: Language): { locale?: DayPickerLocale } | null {
  const [shown, setShown] = useState<{ locale?: DayPickerLocale } | null>(language === 'en' ? {} : null)
  useEffect(() => {
    let wanted = true
    loadLocale(language).then(
      (locale) => wanted && setShown(locale ? { locale } : {}),
      // Falls back to English.
      () => wanted && setShown({}),
    )
    return () => {
      wanted = false
    }
  }, [language])
  return shown
}
