import { type FormEvent, useEffect } from 'react'
import type { ConsoleWords } from '#protocol/console.ts'
import { INTEREST_MAX } from '#protocol/constants.ts'
import { Button } from '../../ui/button.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import styles from './case.module.css'
import { useConsole } from './hooks.ts'
import { dateText } from './texts.ts'

/** Shows the words that moderators refuse, and the current suggestions. */
export function WordsView() {
  const { words } = useConsole()
  const read = words.words.value

  useEffect(() => {
    void words.read()
  }, [words])

  if (!read) return <Spinner label="Loading the words" />
  return (
    <article className={styles.view} aria-label="Words">
      <h2 className={styles.title}>Words</h2>
      <RefuseForm />
      <Refused words={read.refused} />
      <Suggested words={read.suggested} />
    </article>
  )
}

function RefuseForm() {
  const { words } = useConsole()

  async function submit(event: FormEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault()
    const form = event.currentTarget
    const word = String(new FormData(form).get('word'))
    if (await words.refuse(word)) form.reset()
  }

  return (
    <section className={styles.section}>
      <p className={styles.muted}>
        A refused word, or words that follow each other, is at once no longer suggested, and is not accepted in
        interests and nicknames. People who have it in their nickname are shown to others without a name until they
        change it.
      </p>
      <form className={styles.form} onSubmit={(event) => void submit(event)}>
        <label>
          Refuse
          <input name="word" required maxLength={INTEREST_MAX} autoComplete="off" />
        </label>
        <Button type="submit" disabled={words.changing.value}>
          Refuse
        </Button>
      </form>
    </section>
  )
}

function Refused({ words: refused }: { words: ConsoleWords['refused'] }) {
  const { words } = useConsole()
  return (
    <section className={styles.section}>
      <h3 className={styles.heading}>Refused by moderators: {refused.length}</h3>
      <ul className={styles.entries} aria-label="Refused words">
        {refused.map(({ word, moderator, at }) => (
          <li key={word}>
            <bdi>{word}</bdi>{' '}
            <span className={styles.muted}>
              by {moderator} on {dateText(at)}
            </span>{' '}
            <Button
              variant="plain"
              aria-label={`Allow ${word}`}
              disabled={words.changing.value}
              onClick={() => void words.allow(word)}
            >
              Allow
            </Button>
          </li>
        ))}
      </ul>
    </section>
  )
}

function Suggested({ words: suggested }: { words: ConsoleWords['suggested'] }) {
  const { words } = useConsole()
  return (
    <section className={styles.section}>
      <h3 className={styles.heading}>Suggested to everybody: {suggested.length}</h3>
      <ul className={styles.entries} aria-label="Suggested interests">
        {suggested.map((word) => (
          <li key={word}>
            <bdi>{word}</bdi>{' '}
            <Button
              variant="plain"
              aria-label={`Refuse ${word}`}
              disabled={words.changing.value}
              onClick={() => void words.refuse(word)}
            >
              Refuse
            </Button>
          </li>
        ))}
      </ul>
    </section>
  )
}
