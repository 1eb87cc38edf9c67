import { useCall } from '../../call/use-call.ts'
import { useTexts } from '../../platform/use-texts.ts'
import { Switch } from '../../ui/members/switch.tsx'

/** Switches relay-only calls on or off. They hide the user's network address from peers. */
export function RelayOnlySwitch() {
  const { relayOnly } = useCall()
  const t = useTexts()
  return (
    <Switch
      label={t('dashboard.hide-address')}
      why={t(relayOnly.unread.value ? 'dashboard.hide-address.unread' : 'dashboard.hide-address.why')}
      on={relayOnly.on}
      choose={relayOnly.choose}
    />
  )
}
