import { type FormEvent, type RefObject, useRef } from 'react'
import { caseKindSchema } from '#protocol/console.ts'
import styles from './console.module.css'
import { useConsole } from './context.ts'
import { kindTexts } from './texts.ts'

/** Search field and filter by kind of case. */
export function QueueTools({ searchRef }: { searchRef: RefObject<HTMLInputElement | null> }) {
  const store = useConsole()
  const form = useRef<HTMLFormElement>(null)
  const kind = store.kind.value
  const found = store.found.value

  function submit(event: FormEvent): void {
    event.preventDefault()
    void store.search(searchRef.current?.value ?? '')
  }

  return (
    <div className={styles.tools}>
      <search>
        <form ref={form} onSubmit={submit}>
          <input
            ref={searchRef}
            type="search"
            name="text"
            className={styles.search}
            aria-label="Search"
            placeholder="Nickname, case id or whole e-mail"
            maxLength={254}
            onChange={(event) => {
              if (event.currentTarget.value === '') void store.search('')
            }}
          />
        </form>
      </search>
      <fieldset className={styles.kinds}>
        <legend className="visually-hidden">Cases shown</legend>
        {[null, ...caseKindSchema.options].map((option) => (
          <label key={option} className={styles.kind}>
            <input
              type="radio"
              name="kind"
              checked={option === kind && !found}
              onChange={() => {
                form.current?.reset()
                void store.filter(option)
              }}
            />
            {option ? kindTexts[option] : 'All'}
          </label>
        ))}
      </fieldset>
      <p role="status" className={styles.count}>
        {found ? `${found.cases.length} found for “${found.text}”` : `${store.queue.value.open} open`}
      </p>
    </div>
  )
}
