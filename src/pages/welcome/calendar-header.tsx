import type { Day } from '../../domain/age.ts'
import styles from './calendar.module.css'

const months = Array.from({ length: 12 }, (_, index) =>
  new Intl.DateTimeFormat('en-GB', { month: 'long' }).format(new Date(2001, index, 1)),
)

type CalendarHeaderProps = {
  shown: Day
  today: Day
  oldest: number
  onShow: (year: number, month: number) => void
  onShowYears: () => void
}

export function CalendarHeader({ shown, today, oldest, onShow, onShowYears }: CalendarHeaderProps) {
  const { year, month } = shown
  const last = year === today.year && month === today.month
  const first = year === oldest && month === 1
  return (
    <div className={styles.header}>
      <button
        type="button"
        className={styles.arrow}
        aria-label="Previous month"
        disabled={first}
        onClick={() => onShow(year, month - 1)}
      >
        ‹
      </button>
      <select
        className={styles.pick}
        aria-label="Month"
        value={month}
        onChange={(event) => onShow(year, Number(event.target.value))}
      >
        {months.map((name, index) => (
          <option key={name} value={index + 1} disabled={year === today.year && index + 1 > today.month}>
            {name}
          </option>
        ))}
      </select>
      <button type="button" className={styles.pick} aria-expanded="false" onClick={onShowYears}>
        <span className="visually-hidden">Year </span>
        {year}
      </button>
      <button
        type="button"
        className={styles.arrow}
        aria-label="Next month"
        disabled={last}
        onClick={() => onShow(year, month + 1)}
      >
        ›
      </button>
    </div>
  )
}
