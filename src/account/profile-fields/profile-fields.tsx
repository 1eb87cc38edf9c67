import { type ChangeEvent, useId, useLayoutEffect, useRef, useState } from 'react'
import type { Gender } from '#protocol/fields.ts'
import { useTexts } from '../../platform/use-texts.ts'
import { Field } from '../../ui/forms/field.tsx'
import styles from '../../ui/forms/fields.module.css'
import { cleanNickname, nicknameCount, nicknameError } from '../rules/nickname.ts'
import type { NicknameRefusal } from '../rules/nickname-refusal.ts'

type NicknameFieldProps = {
  value: string
  focus: boolean
  /** Why the server refused this value; null if it was not refused. */
  refusal: NicknameRefusal | null
  onChange: (value: string) => void
}

/** A field for letters and single spaces. It shows an error after the first input or after losing the focus. */
export function NicknameField({ value, focus, refusal, onChange }: NicknameFieldProps) {
  const t = useTexts()
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const caret = useRef<number | null>(null)
  const [touched, setTouched] = useState(false)
  const error = (touched ? nicknameError(value) : null) ?? refusal

  function typed(event: ChangeEvent<HTMLInputElement>): void {
    const { value: text, selectionStart } = event.target
    setTouched(true)
    // Text that an input method is still composing is not filtered.
    if (event.nativeEvent instanceof InputEvent && event.nativeEvent.isComposing) onChange(text)
    else settle(text, selectionStart)
  }

  function settle(text: string, selectionStart: number | null): void {
    const cleaned = cleanNickname(text)
    if (cleaned !== text) caret.current = cleanNickname(text.slice(0, selectionStart ?? text.length)).length
    onChange(cleaned)
  }

  // Restores the caret: React moves it to the end when characters are removed.
  useLayoutEffect(() => {
    if (caret.current !== null) input.current?.setSelectionRange(caret.current, caret.current)
    caret.current = null
  })

  useLayoutEffect(() => {
    if (focus) input.current?.focus()
  }, [focus])

  return (
    <Field
      id={id}
      label={t('welcome.nickname')}
      aside={
        <span id={`${id}-count`} className={styles.count}>
          {nicknameCount(value)}
        </span>
      }
      error={error && t(`welcome.nickname.${error}`)}
    >
      <input
        ref={input}
        id={id}
        className={styles.input}
        value={value}
        onChange={typed}
        onCompositionEnd={(event) => settle(event.currentTarget.value, event.currentTarget.selectionStart)}
        onBlur={() => setTouched(true)}
        aria-invalid={error !== null}
        aria-describedby={`${id}-count ${id}-error`}
        aria-required="true"
        autoComplete="nickname"
        spellCheck={false}
      />
    </Field>
  )
}

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
