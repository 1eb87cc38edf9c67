import type { ComponentType, ReactNode } from 'react'
import { featureContext, useFeature } from '../platform/feature-context.ts'
import { useTexts } from '../platform/use-texts.ts'
import { interruptionText } from './rules/interruption.ts'
import type { ConnectionCheck } from './state/connection-check.ts'
import type { DeviceStore } from './state/devices.ts'
import type { SoundStore } from './state/sounds.ts'

export type Devices = {
  devices: DeviceStore
  sounds: SoundStore
  /** Loads the check of devices and network. */
  loadCheck: () => Promise<ConnectionCheck>
  /**
   * A menu in which the user chooses devices, picture and sounds. A choice takes effect at once and is stored.
   * `canCheck` offers the check, which is not possible in a call. `children`: what other features add about pictures.
   */
  DeviceMenu: ComponentType<{ onClose: () => void; canCheck?: boolean; children: ReactNode }>
}

export const DevicesContext = featureContext<Devices>('Devices')
export const useDevices = (): Devices => useFeature(DevicesContext)

/** Shows the text about an interrupted camera or microphone and its remedy. Must be rendered in a live region. */
export function InterruptionNote({ className }: { className?: string | undefined }) {
  const { devices } = useDevices()
  const t = useTexts()
  const interruption = devices.interruption.value
  return interruption && <p className={className}>{t(interruptionText(interruption))}</p>
}
