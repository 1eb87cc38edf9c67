import { useId } from 'react'
import type { Gender } from '#protocol/fields.ts'
import { useTexts } from '../../platform/use-texts.ts'
import styles from '../../ui/forms/fields.module.css'

const genders: readonly Gender[] = ['boy', 'girl', 'others']

/** Radio buttons styled as chips. */
export function GenderField({ value, onChange }: { value: Gender; onChange: (value: Gender) => void }) {
  const t = useTexts()
  const id = useId()
  return (
    <div role="radiogroup" aria-labelledby={id} className={styles.field}>
      <span id={id} className={styles.labels}>
        {t('welcome.gender')}
      </span>
      <div className={styles.chips}>
        {genders.map((gender) => (
          <label key={gender} className={styles.chip}>
            <input type="radio" name={id} value={gender} checked={gender === value} onChange={() => onChange(gender)} />
            {t(`welcome.gender.${gender}`)}
          </label>
        ))}
      </div>
    </div>
  )
}
