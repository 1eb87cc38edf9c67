import { useSignal } from '@preact/signals-react'
import { useLayoutEffect } from 'react'
import { useTexts } from '../../platform/use-texts.ts'
import { Switch } from '../../ui/members/switch.tsx'

/** The switch that shows the picture to others. */
export function ShowSwitch({ on, choose }: { on: boolean; choose: (on: boolean) => void }) {
  const t = useTexts()
  const isOn = useSignal(on)
  useLayoutEffect(() => {
    isOn.value = on
  }, [isOn, on])
  return <Switch label={t('profile.show')} why={t('profile.show.why')} on={isOn} choose={choose} />
}
