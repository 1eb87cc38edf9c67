import { useStores } from '../stores/stores.ts'
import { Switch } from './switch.tsx'
import { useTexts } from './use-texts.ts'

/** Switches the safety check of pictures, and says why this device cannot do it; absent where the operator has none. */
export function CurtainSwitch() {
  const { curtain } = useStores()
  const t = useTexts()
  const state = curtain.state.value
  if (!curtain.isOffered) return null
  const what = state.phase === 'unavailable' ? state.reason : 'why'
  return (
    <Switch label={t('devices.curtain')} why={t(`devices.curtain.${what}`)} on={curtain.on} choose={curtain.choose} />
  )
}
