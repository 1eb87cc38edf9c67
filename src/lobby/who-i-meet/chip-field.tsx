import { useId, useRef, useState } from 'react'
import { useTexts } from '../../platform/use-texts.ts'
import { Field } from '../../ui/forms/field.tsx'
import fields from '../../ui/forms/fields.module.css'
import styles from './chip-field.module.css'
import { OptionList } from './option-list.tsx'
import { type ListKeys, useListKeys } from './use-list-keys.ts'

/** `lang` is the language of `text`; absent if it is that of the page. */
export type Chip = { value: string; text: string; lang?: string | undefined }
export type Option = Chip & { detail?: string | undefined }

type ChipFieldProps = {
  label: string
  hint: string
  note: string | null
  error: string | null
  max: number
  chips: readonly Chip[]
  /** Options that match the typed text and are not chosen yet. */
  options: readonly Option[]
  typed: string
  /** Whether Enter chooses the first option if text is typed and no option is marked. */
  picksFirst: boolean
  onFocus: () => void
  onType: (text: string) => void
  /** Called on Enter if text is typed and no option is marked. */
  onEnter: () => void
  onAdd: (value: string) => void
  onRemove: (value: string) => void
}

/** A text field with a list of options (the combobox pattern). Chosen options become chips that can be removed. */
export function ChipField(props: ChipFieldProps) {
  const { label, hint, note, error, max, chips, options, typed, picksFirst } = props
  const t = useTexts()
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const [said, setSaid] = useState('')
  const isFull = chips.length >= max

  function add(option: Option): void {
    props.onAdd(option.value)
    setSaid(t('preferences.added', { name: option.text }))
  }

  function remove(chip: Chip): void {
    props.onRemove(chip.value)
    setSaid(t('preferences.removed', { name: chip.text }))
    input.current?.focus()
  }

  const list = useListKeys(isFull ? [] : options, picksFirst && typed.trim() !== '', {
    choose: add,
    enter: () => typed.trim() !== '' && props.onEnter(),
    back() {
      const last = chips.at(-1)
      if (typed === '' && last) remove(last)
    },
  })

  return (
    <div className={styles.whole}>
      <Field
        id={id}
        label={label}
        aside={<span className={fields.count}>{t('preferences.count', { count: chips.length, max })}</span>}
        error={error}
      >
        <ChipList chips={chips} onRemove={remove} />
        <div className={styles.box}>
          <input
            ref={input}
            id={id}
            className={fields.input}
            value={typed}
            readOnly={isFull}
            onChange={({ target }) => {
              props.onType(target.value)
              list.open()
            }}
            onFocus={props.onFocus}
            onClick={list.open}
            onBlur={list.close}
            onKeyDown={list.pressed}
            aria-invalid={error !== null}
            aria-describedby={`${id}-hint ${id}-error`}
            autoComplete="off"
            autoCapitalize="none"
            enterKeyHint="done"
            {...comboboxOf(list, id)}
          />
          {list.isOpen && (
            <OptionList id={`${id}-list`} label={label} options={options} active={list.active} onChoose={list.choose} />
          )}
        </div>
      </Field>
      <p id={`${id}-hint`} className={styles.hint}>
        {isFull ? t('preferences.full', { max }) : hint} {note}
      </p>
      <p role="status" className="visually-hidden">
        {list.isOpen && typed.trim() !== '' ? t('preferences.found', { count: options.length }) : said}
      </p>
    </div>
  )
}

function comboboxOf({ isOpen, active }: ListKeys, id: string) {
  return {
    role: 'combobox',
    'aria-autocomplete': 'list',
    'aria-expanded': isOpen,
    'aria-controls': isOpen ? `${id}-list` : undefined,
    'aria-activedescendant': isOpen && active >= 0 ? `${id}-list-${active}` : undefined,
  } as const
}

function ChipList({ chips, onRemove }: { chips: readonly Chip[]; onRemove: (chip: Chip) => void }) {
  const t = useTexts()
  if (chips.length === 0) return null
  return (
    <ul className={styles.chips}>
      {chips.map((chip) => (
        <li key={chip.value} className={styles.chip}>
          <span lang={chip.lang} dir="auto">
            {chip.text}
          </span>
          <button
            type="button"
            className={styles.remove}
            aria-label={t('preferences.remove', { name: chip.text })}
            onClick={() => onRemove(chip)}
          >
            <svg viewBox="0 0 16 16" aria-hidden="true">
              <path d="m4 4 8 8m0-8-8 8" />
            </svg>
          </button>
        </li>
      ))}
    </ul>
  )
}
