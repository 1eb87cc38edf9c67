import { useId } from 'react'
import type { Gender } from '#protocol/fields.ts'
import styles from './welcome.module.css'

const genders: readonly { value: Gender; text: string }[] = [
  { value: 'boy', text: 'Boy' },
  { value: 'girl', text: 'Girl' },
  { value: 'others', text: 'Others' },
]

/** Radio buttons that look like chips. */
export function GenderField({ value, onChange }: { value: Gender; onChange: (value: Gender) => void }) {
  const id = useId()
  return (
    <div role="radiogroup" aria-labelledby={id} className={styles.field}>
      <span id={id} className={styles.labels}>
        Gender
      </span>
      <div className={styles.chips}>
        {genders.map((gender) => (
          <label key={gender.value} className={styles.chip}>
            <input
              type="radio"
              name={id}
              value={gender.value}
              checked={gender.value === value}
              onChange={() => onChange(gender.value)}
            />
            {gender.text}
          </label>
        ))}
      </div>
    </div>
  )
}
