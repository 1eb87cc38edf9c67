import { useComputed } from '@preact/signals-react'
import { formatNumber } from '../../platform/texts/formats.ts'
import { usePlatform } from '../../platform/use-platform.ts'
import list from '../../ui/members/list-field.module.css'
import { useCall } from '../use-call.ts'

/** The data that the call takes. The text is a signal, so that new numbers render nothing else. */
export function CallData() {
  const { dataUse } = useCall()
  const { texts } = usePlatform()
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
