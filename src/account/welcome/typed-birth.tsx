import { type ChangeEvent, useId } from 'react'
import { useTexts } from '../../platform/use-texts.ts'
import { Button } from '../../ui/button.tsx'
import fields from '../../ui/forms/fields.module.css'
import { type Day, isoDay, parseDay } from '../rules/age.ts'
import styles from './welcome.module.css'

/** Years before today that can be chosen. */
export const OLDEST_YEARS = 120

type TypedBirthProps = { value: Day; today: Day; onChange: (day: Day) => void; onClose: () => void }

/** The browser's own date input, in place of a calendar that cannot be loaded. */
export function TypedBirth({ value, today, onChange, onClose }: TypedBirthProps) {
  const id = useId()
  const t = useTexts()

  /** A day that is only half typed has no value, or a year out of range. */
  function typed({ target }: ChangeEvent<HTMLInputElement>): void {
    const day = target.validity.valid ? parseDay(target.value) : null
    if (day) onChange(day)
  }

  return (
    <div className={styles.typedBirth}>
      <label htmlFor={id}>{t('welcome.calendar.failed')}</label>
      <input
        id={id}
        className={fields.input}
        type="date"
        // Not controlled: React would write into a day that is being typed.
        defaultValue={isoDay(value)}
        min={isoDay({ year: today.year - OLDEST_YEARS, month: 1, day: 1 })}
        max={isoDay(today)}
        onChange={typed}
      />
      <Button look="plain" onClick={onClose}>
        {t('welcome.calendar.close')}
      </Button>
    </div>
  )
}
