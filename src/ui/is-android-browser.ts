import type { PageConfig } from '#protocol/page-config.ts'

/** True for a browser on Android, but not for the Android app's own web view. */
export function isAndroidBrowser(): boolean {
  const isApp = matchMedia('(display-mode: standalone)').matches || document.referrer.startsWith('android-app://')
  return /Android/i.test(navigator.userAgent) && !isApp
}

/** Returns the store page of the Android app, in a browser on Android and if the operator has an app; else null. */
export function offeredApp({ storeUrl }: Pick<PageConfig, 'storeUrl'>): string | null {
  return storeUrl !== null && isAndroidBrowser() ? storeUrl : null
}
