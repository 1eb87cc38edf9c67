import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { useTexts } from '../../platform/use-texts.ts'
import { Field } from '../../ui/forms/field.tsx'
import fields from '../../ui/forms/fields.module.css'
import { isComposing } from '../../ui/members/is-composing.ts'
import styles from './chip-field.module.css'

/** `lang` is the language of `text`; absent if that is the language of the page. */
export type Chip = { value: string; text: string; lang?: string | undefined }
export type Option = Chip & { detail?: string | undefined }

type ChipFieldProps = {
  label: string
  hint: string
  note: string | null
  error: string | null
  max: number
  chips: readonly Chip[]
  /** Options that fit the typed text and are no chips yet. */
  options: readonly Option[]
  typed: string
  /** Whether Enter takes the first option while something is typed and no option is marked. */
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
      <p id={`${id}-hint`} className="hint">
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
            className="icon-button"
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

type OptionListProps = {
  id: string
  label: string
  options: readonly Option[]
  /** Index of the marked option; -1 if no option is marked. */
  active: number
  onChoose: (index: number) => void
}

/** The options below the text field. The text field keeps the focus. */
function OptionList({ id, label, options, active, onChoose }: OptionListProps) {
  const list = useRef<HTMLDivElement>(null)

  useEffect(() => {
    if (active >= 0) list.current?.children[active]?.scrollIntoView({ block: 'nearest' })
  }, [active])

  return (
    <div ref={list} id={id} role="listbox" aria-label={label} className={styles.options}>
      {options.map(({ value, text, lang, detail }, index) => (
        // biome-ignore lint/a11y/useFocusableInteractive: as above
        // biome-ignore lint/a11y/useKeyWithClickEvents: the text box takes the keys
        <div
          key={value}
          id={`${id}-${index}`}
          role="option"
          aria-selected={index === active}
          className={styles.option}
          // A press on an option must not take the focus from the text field.
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => onChoose(index)}
        >
          <span lang={lang} dir="auto">
            {text}
          </span>
          {detail && <span className={styles.detail}>{detail}</span>}
        </div>
      ))}
    </div>
  )
}

type Listener<Option> = {
  choose: (option: Option) => void
  /** Called on Enter if no option is marked. */
  enter: () => void
  /** Backspace. */
  back: () => void
}

type ListKeys = { isOpen: boolean; active: number }

/**
 * The list of a combobox: whether it is open, which option is marked, and what the keys do. `marksFirst`: until the user marks an option.
 */
function useListKeys<Option>(options: readonly Option[], marksFirst: boolean, listener: Listener<Option>) {
  const [wantsOpen, setWantsOpen] = useState(false)
  const [moved, setMoved] = useState(-1)
  const isOpen = wantsOpen && options.length > 0
  const active = moved < 0 || moved >= options.length ? (marksFirst ? 0 : -1) : moved

  function open(): void {
    setWantsOpen(true)
    setMoved(-1)
  }

  function close(): void {
    setWantsOpen(false)
    setMoved(-1)
  }

  function choose(index: number): void {
    const option = options[index]
    if (option === undefined) return
    close()
    listener.choose(option)
  }

  function move(by: 1 | -1): void {
    setWantsOpen(true)
    // A list that opens marks its first option, or with the up arrow its last one.
    const from = isOpen && active >= 0 ? active : by > 0 ? -1 : 0
    setMoved((from + by + options.length) % options.length)
  }

  function entered(event: KeyboardEvent<HTMLInputElement>): void {
    if (isOpen && active >= 0) choose(active)
    else if (event.currentTarget.value.trim() !== '') listener.enter()
    // If the field is empty, Enter submits the form.
    else return
    event.preventDefault()
  }

  function pressed(event: KeyboardEvent<HTMLInputElement>): void {
    // The input method handles the key itself.
    if (isComposing(event)) return
    const { key } = event
    if (key === 'ArrowDown' || key === 'ArrowUp') {
      event.preventDefault()
      move(key === 'ArrowDown' ? 1 : -1)
    } else if (key === 'Enter') entered(event)
    else if (key === 'Backspace') listener.back()
    else if (key === 'Escape' && isOpen) {
      // Otherwise Escape would also close the dialog.
      event.preventDefault()
      event.stopPropagation()
      close()
    }
  }

  return { isOpen, active, open, close, choose, pressed }
}
