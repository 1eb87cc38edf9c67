import { DayPicker, type DayPickerLocale, TZDate } from '@daypicker/react'
import { useEffect, useState } from 'react'
import { DAY_MS } from '#protocol/durations.ts'
import { directionOf, type Language, PSEUDO_LANGUAGE } from '#protocol/languages.ts'
import { formatWholeDate, monthNames } from '../../platform/texts/formats.ts'
import { usePlatform } from '../../platform/use-platform.ts'
import { useTexts } from '../../platform/use-texts.ts'
import { Button } from '../../ui/button.tsx'
import { type Day, OLDEST_YEARS } from '../rules/age.ts'
import styles from './calendar.module.css'
import { YearGrid } from './year-grid.tsx'

type CalendarProps = { value: Day; today: Day; onSelect: (day: Day) => void; onClose: () => void }

/** Calendar days are days of UTC, since every other time zone has skipped hours, and some of them days. */
const UTC = 'UTC'

function dateOf({ year, month, day }: Day): Date {
  return new Date(Date.UTC(year, month - 1, day))
}

function dayFrom(date: Date): Day {
  return { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() }
}

/** The picker's own way to the next day goes over the time zone of the device. */
const dateLib = { addDays: (date: Date, days: number) => new TZDate(date.getTime() + days * DAY_MS, UTC) }

/** False while another field is filled in, which may begin before the calendar has loaded. */
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

  /** Shows the month, or the nearest one in range. */
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
              // The label must contain the visible number: voice control would not find "1st" for "click 1".
              labels={{ labelDayButton: (date) => formatWholeDate(language, date) }}
              onSelect={(date) => onSelect(dayFrom(date))}
              classNames={dayPickerClasses}
            />
          )}
        </>
      )}
      <div className={styles.foot}>
        <Button look="plain" onClick={onClose}>
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

/** Loads the calendar's locale; it needs none for English. */
async function loadLocale(language: Language): Promise<DayPickerLocale | undefined> {
  if (language === 'en' || language === PSEUDO_LANGUAGE) return undefined
  return (await import('@daypicker/react/locale/es')).es
}

/** Returns the calendar's locale: null until the first is loaded, the previous one while another loads. */
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
