/** True for a browser on Android, but not for the Android app's own web view. */
export function isAndroidBrowser(): boolean {
  const isApp = matchMedia('(display-mode: standalone)').matches || document.referrer.startsWith('android-app://')
  return /Android/i.test(navigator.userAgent) && !isApp
}
