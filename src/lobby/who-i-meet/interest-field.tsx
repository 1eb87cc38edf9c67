import { useState } from 'react'
import { INTEREST_DIGITS_MAX, INTEREST_MAX, INTERESTS_MAX } from '#protocol/constants.ts'
import type { Translate } from '../../platform/texts/texts.ts'
import { useTexts } from '../../platform/use-texts.ts'
import type { InterestFault } from '../rules/interests.ts'
import { searchable } from '../rules/spoken-languages.ts'
import { ChipField } from './chip-field.tsx'

type InterestFieldProps = {
  interests: readonly string[]
  typed: string
  fault: InterestFault | 'refused' | null
  /** Loads the suggestions; called when the field gets the focus. */
  suggest: () => Promise<readonly string[]>
  onType: (text: string) => void
  /** Turns the text into an interest. */
  onTake: (text: string) => void
  onChange: (interests: string[]) => void
}

/** A field for interests in the user's own words, with suggestions. */
export function InterestField({ interests, typed, fault, suggest, onType, onTake, onChange }: InterestFieldProps) {
  const t = useTexts()
  const [suggestions, setSuggestions] = useState<readonly string[]>([])
  const wanted = searchable(typed)
  const options = suggestions
    .filter((each) => searchable(each).includes(wanted) && !interests.includes(each))
    .map((each) => ({ value: each, text: each }))

  return (
    <ChipField
      label={t('preferences.interests')}
      hint={t('preferences.interests.hint', { max: INTERESTS_MAX })}
      note={null}
      error={fault && faultText(t, fault)}
      max={INTERESTS_MAX}
      chips={interests.map((each) => ({ value: each, text: each }))}
      options={options}
      typed={typed}
      picksFirst={false}
      onFocus={() => void suggest().then(setSuggestions)}
      onType={onType}
      onEnter={() => onTake(typed)}
      onAdd={onTake}
      onRemove={(interest) => onChange(interests.filter((other) => other !== interest))}
    />
  )
}

function faultText(t: Translate, fault: InterestFault | 'refused'): string {
  if (fault === 'too-long') return t('preferences.interests.too-long', { max: INTEREST_MAX })
  if (fault === 'digits') return t('preferences.interests.digits', { max: INTEREST_DIGITS_MAX })
  return t(`preferences.interests.${fault}`)
}
