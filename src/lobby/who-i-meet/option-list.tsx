import { useEffect, useRef } from 'react'
import styles from './chip-field.module.css'
import type { Option } from './chip-field.tsx'

type OptionListProps = {
  id: string
  label: string
  options: readonly Option[]
  /** Index of the marked option; -1 for none. */
  active: number
  onChoose: (index: number) => void
}

/** The options below the text field. The text field keeps the focus. */
export function OptionList({ id, label, options, active, onChoose }: OptionListProps) {
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
