import { type RefObject, useEffect } from 'react'
import type { PictureOf } from '#protocol/picture-state.ts'
import { featureContext, useFeature } from '../platform/feature-context.ts'
import { useTexts } from '../platform/use-texts.ts'
import { Switch } from '../ui/members/switch.tsx'
import type { CurtainStore } from './state/curtain.ts'
import type { PictureStateStore } from './state/picture-states.ts'

export type Curtain = { curtain: CurtainStore; pictureStates: PictureStateStore }

export const CurtainContext = featureContext<Curtain>('Curtain')
export const useCurtain = (): Curtain => useFeature(CurtainContext)

/** Switches the safety check, and says why this device cannot do it. Absent if the operator has switched it off. */
export function CurtainSwitch() {
  const { curtain } = useCurtain()
  const t = useTexts()
  const state = curtain.state.value
  if (!curtain.isOffered) return null
  const what = state.phase === 'unavailable' ? state.reason : 'why'
  return (
    <Switch label={t('devices.curtain')} why={t(`devices.curtain.${what}`)} on={curtain.on} choose={curtain.choose} />
  )
}

/** Reads the picture of the video while it is `shown`, to find out whether it shows nobody. */
export function useReadings(video: RefObject<HTMLVideoElement | null>, of: PictureOf, shown: boolean): void {
  const { pictureStates } = useCurtain()
  useEffect(() => {
    if (!shown || !video.current) return
    return pictureStates.show(of, video.current)
  }, [pictureStates, video, of, shown])
}
