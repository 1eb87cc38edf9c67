import { useMemo, useState } from 'react'
import { LANGUAGES_MAX } from '#protocol/constants.ts'
import { spokenLanguages } from '#protocol/spoken-languages.ts'
import { localeOf } from '../../platform/texts/formats.ts'
import { usePlatform } from '../../platform/use-platform.ts'
import { useTexts } from '../../platform/use-texts.ts'
import { findLanguages, type LanguageOption, languageOptions, namedLanguages } from '../rules/spoken-languages.ts'
import { type Chip, ChipField, type Option } from './chip-field.tsx'

type LanguageFieldProps = {
  codes: readonly string[]
  isProposed: boolean
  /** True if the server refused the languages. */
  isRefused: boolean
  onChange: (codes: string[]) => void
}

/** A field for the user's languages. The names of all languages are looked up when it first gets the focus. */
export function LanguageField({ codes, isProposed, isRefused, onChange }: LanguageFieldProps) {
  const { texts } = usePlatform()
  const t = useTexts()
  const locale = localeOf(texts.language.value)
  const [typed, setTyped] = useState('')
  const [isTouched, setTouched] = useState(false)
  const [problem, setProblem] = useState<'unknown' | null>(null)
  const all = useMemo(() => optionsIn(locale, isTouched), [isTouched, locale])
  const chosen = useMemo(() => languageOptions(codes, locale), [codes, locale])
  const found = findLanguages(all, typed).filter(({ code }) => !codes.includes(code))
  const error = isRefused ? 'refused' : problem

  function type(text: string): void {
    setProblem(null)
    setTyped(text)
  }

  return (
    <ChipField
      label={t('preferences.languages')}
      hint={t('preferences.languages.hint', { max: LANGUAGES_MAX })}
      note={isProposed ? t('preferences.languages.proposed') : null}
      error={error && t(`preferences.languages.${error}`)}
      max={LANGUAGES_MAX}
      chips={codes.flatMap((code) => chosen.filter((option) => option.code === code).map(chipOf))}
      options={found.map(optionOf)}
      typed={typed}
      picksFirst
      onFocus={() => setTouched(true)}
      onType={type}
      onEnter={() => setProblem('unknown')}
      onAdd={(code) => {
        type('')
        onChange([...codes, code])
      }}
      onRemove={(code) => onChange(codes.filter((other) => other !== code))}
    />
  )
}

function optionsIn(locale: string, isTouched: boolean): LanguageOption[] {
  return isTouched ? languageOptions(namedLanguages(spokenLanguages, locale), locale) : []
}

function chipOf({ code, own, name }: LanguageOption): Chip {
  return own === undefined ? { value: code, text: name } : { value: code, text: own, lang: code }
}

/** Returns the option. Its second line is the name in the language of the page, unless both names are the same. */
function optionOf(option: LanguageOption): Option {
  const chip = chipOf(option)
  return chip.text === option.name ? chip : { ...chip, detail: option.name }
}
