import { monthNames } from '../../platform/texts/formats.ts'
import { usePlatform } from '../../platform/use-platform.ts'
import { useTexts } from '../../platform/use-texts.ts'
import type { Day } from '../rules/age.ts'
import styles from './calendar.module.css'

type CalendarHeaderProps = {
  shown: Day
  today: Day
  oldest: number
  onShow: (year: number, month: number) => void
  onShowYears: () => void
}

export function CalendarHeader({ shown, today, oldest, onShow, onShowYears }: CalendarHeaderProps) {
  const { texts } = usePlatform()
  const t = useTexts()
  const { year, month } = shown
  const last = year === today.year && month === today.month
  const first = year === oldest && month === 1
  return (
    <div className={styles.header}>
      <button
        type="button"
        className={styles.arrow}
        aria-label={t('welcome.calendar.previous-month')}
        disabled={first}
        onClick={() => onShow(year, month - 1)}
      >
        ‹
      </button>
      <select
        className={styles.pick}
        aria-label={t('welcome.calendar.month')}
        value={month}
        onChange={(event) => onShow(year, Number(event.target.value))}
      >
        {monthNames(texts.language.value).map((name, index) => (
          <option key={name} value={index + 1} disabled={year === today.year && index + 1 > today.month}>
            {name}
          </option>
        ))}
      </select>
      <button type="button" className={styles.pick} aria-expanded="false" onClick={onShowYears}>
        <span className="visually-hidden">{t('welcome.calendar.year')} </span>
        {year}
      </button>
      <button
        type="button"
        className={styles.arrow}
        aria-label={t('welcome.calendar.next-month')}
        disabled={last}
        onClick={() => onShow(year, month + 1)}
      >
        ›
      </button>
    </div>
  )
}
