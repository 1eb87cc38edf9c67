import { usePlatform } from '../../platform/use-platform.ts'
import { useTexts } from '../../platform/use-texts.ts'
import { Switch } from '../../ui/members/switch.tsx'

/** Switches the data saver on or off. It is also on if the user chose sound only in the device menu. */
export function DataSaverSwitch() {
  const { pictureChoice } = usePlatform()
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
