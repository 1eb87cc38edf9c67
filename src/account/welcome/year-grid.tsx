import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { directionOf } from '#protocol/languages.ts'
import { usePlatform } from '../../platform/use-platform.ts'
import { useTexts } from '../../platform/use-texts.ts'
import styles from './calendar.module.css'

const YEARS = 24
const COLUMNS = 4

const steps: Record<string, number> = {
  ArrowLeft: -1,
  ArrowRight: 1,
  ArrowUp: -COLUMNS,
  ArrowDown: COLUMNS,
  PageUp: -YEARS,
  PageDown: YEARS,
}

type YearGridProps = {
  value: number
  oldest: number
  newest: number
  onSelect: (year: number) => void
  onClose: () => void
}

/** A grid of 24 years in four columns; arrow keys move by a year or a row, Page Up and Page Down by a page. */
export function YearGrid({ value, oldest, newest, onSelect, onClose }: YearGridProps) {
  const { texts } = usePlatform()
  const t = useTexts()
  const [focused, setFocused] = useState(value)
  const button = useRef<HTMLButtonElement>(null)
  // Pages are counted back from the newest year, so that the last page is full.
  const page = Math.floor((newest - focused) / YEARS)
  const firstYear = newest - (page + 1) * YEARS + 1

  useEffect(() => {
    if (focused) button.current?.focus()
  }, [focused])

  function move(by: number): void {
    setFocused(Math.min(newest, Math.max(oldest, focused + by)))
  }

  function pressed(event: KeyboardEvent): void {
    const by = steps[event.key]
    if (by === undefined || event.altKey) return
    event.preventDefault()
    // In a right-to-left layout the years run from right to left, and arrow keys still follow the visual direction.
    const sideways = event.key === 'ArrowLeft' || event.key === 'ArrowRight'
    move(sideways && directionOf(texts.language.value) === 'rtl' ? -by : by)
  }

  return (
    <>
      <div className={styles.header}>
        <button
          type="button"
          className={styles.arrow}
          aria-label={t('welcome.calendar.earlier-years')}
          disabled={firstYear <= oldest}
          onClick={() => move(-YEARS)}
        >
          ‹
        </button>
        <button type="button" className={styles.pick} aria-expanded="true" onClick={onClose}>
          {firstYear} – {firstYear + YEARS - 1}
        </button>
        <button
          type="button"
          className={styles.arrow}
          aria-label={t('welcome.calendar.later-years')}
          disabled={page === 0}
          onClick={() => move(YEARS)}
        >
          ›
        </button>
      </div>
      <div className={styles.yearGrid}>
        {Array.from({ length: YEARS }, (_, index) => firstYear + index).map((year) => (
          <button
            key={year}
            ref={year === focused ? button : undefined}
            type="button"
            tabIndex={year === focused ? 0 : -1}
            className={styles.year}
            aria-pressed={year === value}
            disabled={year < oldest}
            onKeyDown={pressed}
            onClick={() => onSelect(year)}
          >
            {year}
          </button>
        ))}
      </div>
    </>
  )
}
