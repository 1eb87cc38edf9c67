import { Switch } from '../../parts/switch.tsx'
import { useTexts } from '../../parts/use-texts.ts'
import { useStores } from '../../stores/stores.ts'

/** Turns the data saver on or off. It is also on for users who chose sound only in the device menu. */
export function DataSaverSwitch() {
  const { pictureChoice } = useStores()
  const t = useTexts()
  return (
    <Switch
      label={t('dashboard.data-saver')}
      why={t('dashboard.data-saver.why')}
      on={pictureChoice.isSaver}
      choose={(on) => pictureChoice.choose(on ? 'saver' : 'best')}
    />
  )
}
