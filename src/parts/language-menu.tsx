import { useId } from 'react'
import * as v from 'valibot'
import { languageSchema, offeredLanguages } from '#protocol/languages.ts'
import { useVisitor } from '../stores/stores.ts'
import styles from './language-menu.module.css'
import { useTexts } from './use-texts.ts'

/** Changes the language at once, and leaves everything else as it is. Each language is called what it calls itself. */
export function LanguageMenu() {
  const { texts } = useVisitor()
  const t = useTexts()
  const id = useId()
  return (
    <p className={styles.language}>
      <label htmlFor={id}>{t('frame.language')}</label>
      <select
        id={id}
        className={styles.select}
        value={texts.language.value}
        onChange={(event) => void texts.choose(v.parse(languageSchema, event.target.value))}
      >
        {Object.entries(offeredLanguages).map(([language, name]) => (
          <option key={language} value={language} lang={language}>
            {name}
          </option>
        ))}
      </select>
    </p>
  )
}
