/** Whether this is a browser on a device that the mobile app is for; the app shows these pages, too, and needs no other. */
export function isAndroidBrowser(): boolean {
  const isApp = matchMedia('(display-mode: standalone)').matches || document.referrer.startsWith('android-app://')
  return /Android/i.test(navigator.userAgent) && !isApp
}
