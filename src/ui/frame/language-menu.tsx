import { useId } from 'react'
import { isLanguage, offeredLanguages } from '#protocol/languages.ts'
import { usePlatform } from '../../platform/use-platform.ts'
import { useTexts } from '../../platform/use-texts.ts'
import styles from './language-menu.module.css'

/** Changes the language at once, without a reload. Each language has the name that it has in itself. */
export function LanguageMenu() {
  const { texts } = usePlatform()
  const t = useTexts()
  const id = useId()
  const shown = texts.language.value
  return (
    <p className={styles.language}>
      <label htmlFor={id}>{t('frame.language')}</label>
      <select
        id={id}
        className={styles.select}
        value={shown}
        onChange={({ target }) => isLanguage(target.value) && void texts.choose(target.value)}
      >
        {/* The current language may not be on offer; the user can still leave it. */}
        {!(shown in offeredLanguages) && <option value={shown} hidden />}
        {Object.entries(offeredLanguages).map(([language, name]) => (
          <option key={language} value={language} lang={language}>
            {name}
          </option>
        ))}
      </select>
    </p>
  )
}
