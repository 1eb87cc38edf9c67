import type { PageConfig } from '#protocol/page-config.ts'
import { featureContext, useFeature } from './feature-context.ts'
import type { PictureChoiceStore } from './state/picture-choice.ts'
import type { ToastStore } from './state/toasts.ts'
import type { VisitStore } from './state/visit.ts'
import type { TextStore } from './texts/texts.ts'

/** Stores and configuration that every screen can use. */
export type Platform = {
  config: PageConfig
  visit: VisitStore
  toasts: ToastStore
  texts: TextStore
  pictureChoice: PictureChoiceStore
}

export const PlatformContext = featureContext<Platform>('Platform')
export const usePlatform = (): Platform => useFeature(PlatformContext)
