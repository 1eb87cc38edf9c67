import { Switch } from '../../parts/switch.tsx'
import { useTexts } from '../../parts/use-texts.ts'
import { useStores } from '../../stores/stores.ts'

/** Turns relay-only calls on or off, which hide the user's network address from peers. */
export function PrivacySwitch() {
  const { privacy } = useStores()
  const t = useTexts()
  return (
    <Switch
      label={t('dashboard.hide-address')}
      why={t(privacy.unread.value ? 'dashboard.hide-address.unread' : 'dashboard.hide-address.why')}
      on={privacy.relayOnly}
      choose={privacy.hideAddress}
    />
  )
}
