import {
  type ChangeEvent,
  type ReactNode,
  useCallback,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { flushSync } from 'react-dom'
import { useTexts } from '../../platform/use-texts.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/forms/field.tsx'
import fields from '../../ui/forms/fields.module.css'
import { CalendarIcon } from '../../ui/icons.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import { useMedia } from '../../ui/use-media.ts'
import { birthError, type Day, displayDay, isoDay, OLDEST_YEARS, parseDay } from '../rules/age.ts'
import calendar from './calendar.module.css'
import type { Calendar } from './calendar.tsx'
import styles from './welcome.module.css'

type BirthFieldProps = {
  value: Day
  today: Day
  fixed: boolean
  /** Whether the field has the focus when it is shown. */
  focus?: boolean
  onChange: (value: Day) => void
  load?: LoadCalendar
}

/** The date of birth, with a calendar: a dropdown on desktops, a dialog on touch screens. Read-only if `fixed`. */
export function BirthField({ value, today, fixed, focus = false, onChange, load = loadCalendar }: BirthFieldProps) {
  const id = useId()
  const field = useRef<HTMLDivElement>(null)
  const input = useRef<HTMLInputElement>(null)
  const [open, setOpen] = useState(false)
  const touch = useMedia('(pointer: coarse)')
  const t = useTexts()
  const found = birthError(value, today)
  // `underage` is not shown: a user who reads it would enter another date.
  const error = found === 'underage' ? null : found
  const { calendar: Calendar, need } = useCalendar(load)

  // The calendar begins to load when the field is pressed or reached by keyboard. While the field is open a failed load
  // is not repeated, since the user may be typing the day.
  useEffect(() => {
    const watched = field.current
    if (fixed || !watched) return
    if (open) {
      need()
      return
    }
    watched.addEventListener('pointerdown', need)
    watched.addEventListener('focusin', need)
    return () => {
      watched.removeEventListener('pointerdown', need)
      watched.removeEventListener('focusin', need)
    }
  }, [fixed, open, need])

  useLayoutEffect(() => {
    if (focus) input.current?.focus()
  }, [focus])

  // `flushSync` first runs the effect in which a new calendar takes the focus. Then the input gets the focus.
  const close = useCallback(() => {
    flushSync(() => setOpen(false))
    input.current?.focus()
  }, [])

  // Keys work on the input, its button and the open calendar.
  useEffect(() => {
    function pressed(event: KeyboardEvent): void {
      if (event.altKey && event.key === 'ArrowDown' && !fixed) setOpen(true)
      else if (open && (event.key === 'Escape' || (event.altKey && event.key === 'ArrowUp'))) close()
      else return
      event.preventDefault()
    }
    const watched = field.current
    watched?.addEventListener('keydown', pressed)
    return () => watched?.removeEventListener('keydown', pressed)
  }, [fixed, open, close])

  function selected(day: Day): void {
    onChange(day)
    close()
  }

  return (
    <div ref={field} className={styles.birth}>
      <Field id={id} label={t('welcome.birth')} error={error && t(`welcome.birth.${error}`)}>
        <div className={styles.dateRow}>
          <input
            ref={input}
            id={id}
            className={fields.input}
            value={displayDay(value)}
            placeholder={t('welcome.birth.format')}
            readOnly
            onClick={() => setOpen(!fixed)}
            aria-invalid={error !== null}
            aria-describedby={`${id}-hint ${id}-error`}
          />
          {!fixed && (
            <button
              type="button"
              className={styles.calendarButton}
              aria-label={t('welcome.birth.open')}
              aria-haspopup="dialog"
              aria-expanded={open}
              onClick={() => setOpen(!open)}
            >
              <CalendarIcon />
            </button>
          )}
        </div>
        <p id={`${id}-hint`} className="hint">
          {t(fixed ? 'welcome.birth.fixed' : 'welcome.birth.final')}
        </p>
      </Field>
      {open && (
        <CalendarFrame asDialog={touch} onClose={close}>
          {Calendar === 'loading' ? (
            <Spinner label={t('welcome.calendar.loading')} />
          ) : Calendar === 'failed' ? (
            <TypedBirth value={value} today={today} onChange={onChange} onClose={close} />
          ) : (
            <Calendar value={value} today={today} onSelect={selected} onClose={close} />
          )}
        </CalendarFrame>
      )}
    </div>
  )
}

type CalendarFrameProps = { asDialog: boolean; onClose: () => void; children: ReactNode }

/** The dialog or dropdown around the calendar. */
function CalendarFrame({ asDialog, onClose, children }: CalendarFrameProps) {
  const t = useTexts()
  if (!asDialog) return <Dropdown onClose={onClose}>{children}</Dropdown>
  return (
    <Dialog title={t('welcome.calendar.title')} onClose={onClose} className={calendar.dialog}>
      {children}
    </Dialog>
  )
}

function Dropdown({ onClose, children }: { onClose: () => void; children: ReactNode }) {
  const t = useTexts()
  const ref = useRef<HTMLDivElement>(null)

  useEffect(() => {
    ref.current?.scrollIntoView({ block: 'nearest' })
  }, [])

  useEffect(() => {
    function pressedOutside(event: PointerEvent): void {
      // A press on the field is no press outside: its button closes the calendar itself.
      const field = ref.current?.parentElement
      if (event.target instanceof Node && !field?.contains(event.target)) onClose()
    }
    document.addEventListener('pointerdown', pressedOutside)
    return () => document.removeEventListener('pointerdown', pressedOutside)
  }, [onClose])

  return (
    <div ref={ref} role="dialog" aria-label={t('welcome.calendar.title')} className={calendar.dropdown}>
      {children}
    </div>
  )
}

type TypedBirthProps = { value: Day; today: Day; onChange: (day: Day) => void; onClose: () => void }

/** The browser's date input, if the calendar cannot be loaded. */
function TypedBirth({ value, today, onChange, onClose }: TypedBirthProps) {
  const id = useId()
  const t = useTexts()

  /** A half-typed day has no value, or a year out of range, and is ignored. */
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
        // Uncontrolled, since React would overwrite a day that the user is typing.
        defaultValue={isoDay(value)}
        min={isoDay({ year: today.year - OLDEST_YEARS, month: 1, day: 1 })}
        max={isoDay(today)}
        onChange={typed}
      />
      <Button variant="plain" onClick={onClose}>
        {t('welcome.calendar.close')}
      </Button>
    </div>
  )
}

type LoadedCalendar = typeof Calendar

export type LoadCalendar = () => Promise<LoadedCalendar>

const loadCalendar: LoadCalendar = async () => (await import('./calendar.tsx')).Calendar

/** Loads the calendar at the first call of `need`, and after a failure again at the next call. */
function useCalendar(load: LoadCalendar): { calendar: LoadedCalendar | 'loading' | 'failed'; need: () => void } {
  const [calendar, setCalendar] = useState<LoadedCalendar | 'loading' | 'failed'>('loading')
  const requested = useRef(false)

  const need = useCallback(() => {
    if (requested.current) return
    requested.current = true
    setCalendar('loading')
    load().then(
      // Wrapped in a function, since React calls a function that is passed to a state setter.
      (loaded) => setCalendar(() => loaded),
      () => {
        requested.current = false
        setCalendar('failed')
      },
    )
  }, [load])
  return { calendar, need }
}
