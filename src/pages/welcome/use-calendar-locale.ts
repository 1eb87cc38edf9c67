import type { DayPickerLocale } from '@daypicker/react'
import { useEffect, useState } from 'react'
import { type Language, PSEUDO_LANGUAGE } from '#protocol/languages.ts'

/** The calendar speaks American English by itself. */
async function loadLocale(language: Language): Promise<DayPickerLocale | undefined> {
  if (language === 'en' || language === PSEUDO_LANGUAGE) return undefined
  return (await import('@daypicker/react/locale/es')).es
}

/** What the calendar calls its days; null before the first is there, and the one before while another loads. */
export function useCalendarLocale(language: Language): { locale?: DayPickerLocale } | null {
  const [shown, setShown] = useState<{ locale?: DayPickerLocale } | null>(language === 'en' ? {} : null)
  useEffect(() => {
    let wanted = true
    loadLocale(language).then(
      (locale) => wanted && setShown(locale ? { locale } : {}),
      // Days in English are better than no calendar.
      () => wanted && setShown({}),
    )
    return () => {
      wanted = false
    }
  }, [language])
  return shown
}
