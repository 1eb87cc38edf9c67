import { DayPicker, type DayPickerLocale, TZDate } from '@daypicker/react'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { DAY_MS } from '#protocol/durations.ts'
import { directionOf, type Language, type OfferedLanguage, PSEUDO_LANGUAGE } from '#protocol/languages.ts'
import { formatWholeDate, monthNames } from '../../platform/texts/formats.ts'
import { usePlatform } from '../../platform/use-platform.ts'
import { useTexts } from '../../platform/use-texts.ts'
import { Button } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { type Day, OLDEST_YEARS } from '../rules/age.ts'
import styles from './calendar.module.css'

type CalendarProps = { value: Day; today: Day; onSelect: (day: Day) => void; onClose: () => void }

/** Calendar days are UTC days: other time zones have skipped hours, and some have skipped days. */
const UTC = 'UTC'

function dateOf({ year, month, day }: Day): Date {
  return new Date(Date.UTC(year, month - 1, day))
}

function dayFrom(date: Date): Day {
  return { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() }
}

/** Without this the picker would calculate the next day in the device's time zone. */
const dateLib = { addDays: (date: Date, days: number) => new TZDate(date.getTime() + days * DAY_MS, UTC) }

/** Returns false while the user types in another field, which may begin before the calendar has loaded. */
function mayTakeFocus(): boolean {
  const focused = document.activeElement
  return !(focused instanceof HTMLInputElement) || focused.readOnly
}

/** Shows the days of one month, or 24 years; no day after `today`. */
export function Calendar({ value, today, onSelect, onClose }: CalendarProps) {
  const { texts } = usePlatform()
  const t = useTexts()
  const language = texts.language.value
  const names = useCalendarLocale(language)
  const [shown, setShown] = useState(value)
  const [view, setView] = useState<'days' | 'years'>('days')
  const oldest = today.year - OLDEST_YEARS

  /** Shows the month, or the nearest month that can be chosen. */
  function show(year: number, month: number): void {
    const requested = dayFrom(dateOf({ year, month, day: 1 }))
    if (requested.year < oldest) setShown({ year: oldest, month: 1, day: 1 })
    else if (dateOf(requested) > dateOf(today)) setShown({ ...today, day: 1 })
    else setShown(requested)
  }

  return (
    <div className={styles.calendar}>
      {view === 'years' ? (
        <YearGrid
          value={shown.year}
          oldest={oldest}
          newest={today.year}
          onSelect={(year) => {
            show(year, shown.month)
            setView('days')
          }}
          onClose={() => setView('days')}
        />
      ) : (
        <>
          <CalendarHeader
            shown={shown}
            today={today}
            oldest={oldest}
            onShow={show}
            onShowYears={() => setView('years')}
          />
          {names && (
            <DayPicker
              {...names}
              dir={directionOf(language)}
              mode="single"
              timeZone={UTC}
              dateLib={dateLib}
              required
              autoFocus={mayTakeFocus()}
              hideNavigation
              fixedWeeks
              showOutsideDays={false}
              weekStartsOn={1}
              month={dateOf({ ...shown, day: 1 })}
              onMonthChange={(month) => setShown(dayFrom(month))}
              startMonth={dateOf({ year: oldest, month: 1, day: 1 })}
              endMonth={dateOf(today)}
              selected={dateOf(value)}
              today={dateOf(today)}
              disabled={{ after: dateOf(today) }}
              // The label must contain the visible number: voice control would not match "click 1" with "1st".
              labels={{ labelDayButton: (date) => formatWholeDate(language, date) }}
              onSelect={(date) => onSelect(dayFrom(date))}
              classNames={dayPickerClasses}
            />
          )}
        </>
      )}
      <div className={styles.foot}>
        <Button variant="plain" onClick={onClose}>
          {t('welcome.calendar.close')}
        </Button>
      </div>
    </div>
  )
}

const dayPickerClasses = Object.fromEntries(
  Object.entries({
    root: styles.days,
    month_caption: styles.caption,
    month_grid: styles.grid,
    weekday: styles.weekday,
    day: styles.day,
    day_button: styles.dayButton,
    selected: styles.selected,
    today: styles.today,
    disabled: styles.disabled,
  }).filter((entry): entry is [string, string] => entry[1] !== undefined),
)

type ArrowProps = {
  to: 'previous-month' | 'next-month' | 'earlier-years' | 'later-years'
  disabled: boolean
  onClick: () => void
}

function Arrow({ to, ...rest }: ArrowProps) {
  const t = useTexts()
  return (
    <button
      type="button"
      className={classNames('icon-button', styles.arrow)}
      aria-label={t(`welcome.calendar.${to}`)}
      {...rest}
    >
      {to === 'previous-month' || to === 'earlier-years' ? '‹' : '›'}
    </button>
  )
}

type CalendarHeaderProps = {
  shown: Day
  today: Day
  oldest: number
  onShow: (year: number, month: number) => void
  onShowYears: () => void
}

function CalendarHeader({ shown, today, oldest, onShow, onShowYears }: CalendarHeaderProps) {
  const { texts } = usePlatform()
  const t = useTexts()
  const { year, month } = shown
  const last = year === today.year && month === today.month
  const first = year === oldest && month === 1
  return (
    <div className={styles.header}>
      <Arrow to="previous-month" disabled={first} onClick={() => onShow(year, month - 1)} />
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
      <Arrow to="next-month" disabled={last} onClick={() => onShow(year, month + 1)} />
    </div>
  )
}

/** Texts of the calendar by language. English is built in. */
const locales: Readonly<Record<Exclude<OfferedLanguage, 'en'>, () => Promise<DayPickerLocale>>> = {
  es: async () => (await import('@daypicker/react/locale/es')).es,
}

async function loadLocale(language: Language): Promise<DayPickerLocale | undefined> {
  return language === 'en' || language === PSEUDO_LANGUAGE ? undefined : locales[language]()
}

/** Returns the calendar's locale: null until the first is loaded; while another one loads, the previous one. */
function useCalendarLocale(language: Language): { locale?: DayPickerLocale } | null {
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
function YearGrid({ value, oldest, newest, onSelect, onClose }: YearGridProps) {
  const { texts } = usePlatform()
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
    // In a right-to-left layout the years run from right to left. Left and right arrow keys still move left and right.
    const sideways = event.key === 'ArrowLeft' || event.key === 'ArrowRight'
    move(sideways && directionOf(texts.language.value) === 'rtl' ? -by : by)
  }

  return (
    <>
      <div className={styles.header}>
        <Arrow to="earlier-years" disabled={firstYear <= oldest} onClick={() => move(-YEARS)} />
        <button type="button" className={styles.pick} aria-expanded="true" onClick={onClose}>
          {firstYear} – {firstYear + YEARS - 1}
        </button>
        <Arrow to="later-years" disabled={page === 0} onClick={() => move(YEARS)} />
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
