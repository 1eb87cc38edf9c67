import { useId } from 'react'
import { pictureChoices } from '../../platform/rules/picture-choice.ts'
import { usePlatform } from '../../platform/use-platform.ts'
import { useTexts } from '../../platform/use-texts.ts'
import list from '../../ui/members/list-field.module.css'
import styles from './device-menu.module.css'

/** Lets the user choose between a good picture and little data. */
export function PictureMenu() {
  const { pictureChoice } = usePlatform()
  const t = useTexts()
  const id = useId()
  const why = useId()
  const chosen = pictureChoice.choice.value
  return (
    <p className={`${list.field} ${styles.choice}`}>
      <label htmlFor={id}>{t('devices.picture')}</label>
      <select
        id={id}
        aria-describedby={why}
        className={list.input}
        value={chosen}
        onChange={(event) => {
          const next = pictureChoices.find((choice) => choice === event.target.value)
          if (next) pictureChoice.choose(next)
        }}
      >
        {pictureChoices.map((choice) => (
          <option key={choice} value={choice}>
            {t(`devices.picture.${choice}`)}
          </option>
        ))}
      </select>
      <span id={why} aria-live="polite" className={list.why}>
        {t(`devices.picture.${chosen}.why`)}
      </span>
    </p>
  )
}
