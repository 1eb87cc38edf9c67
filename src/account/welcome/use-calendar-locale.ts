import type { DayPickerLocale } from '@daypicker/react'
import { useEffect, useState } from 'react'
import { type Language, type OfferedLanguage, PSEUDO_LANGUAGE } from '#protocol/languages.ts'

/** The calendar's own words; it has the English ones. */
const locales: Readonly<Record<Exclude<OfferedLanguage, 'en'>, () => Promise<DayPickerLocale>>> = {
  es: async () => (await import('@daypicker/react/locale/es')).es,
}

async function loadLocale(language: Language): Promise<DayPickerLocale | undefined> {
  return language === 'en' || language === PSEUDO_LANGUAGE ? undefined : locales[language]()
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
