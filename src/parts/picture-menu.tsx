import { useComputed } from '@preact/signals-react'
import { useId } from 'react'
import { pictureChoices } from '../domain/picture-choice.ts'
import { useStores } from '../stores/stores.ts'
import { formatNumber } from '../texts/formats.ts'
import styles from './device-menu.module.css'
import list from './list-field.module.css'
import { useTexts } from './use-texts.ts'

/** Lets the user choose between a good picture and little data; in a call it also shows the data that the call takes. */
export function PictureMenu() {
  const { pictureChoice } = useStores()
  const t = useTexts()
  const id = useId()
  const why = useId()
  const chosen = pictureChoice.choice.value
  return (
    <>
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
      <CallData />
    </>
  )
}

/** The text is a signal, so that new numbers render nothing else. */
function CallData() {
  const { dataUse, texts } = useStores()
  const inCall = useComputed(() => dataUse.used.value !== null).value
  const text = useComputed(() => {
    const { megabytes = 0, hourly = null } = dataUse.used.value ?? {}
    const language = texts.language.value
    const used = formatNumber(language, megabytes, 1)
    if (hourly === null) return texts.t('devices.data-used', { used })
    return texts.t('devices.data-used.hourly', { used, hourly: formatNumber(language, hourly) })
  })
  return inCall && <p className={list.why}>{text}</p>
}
