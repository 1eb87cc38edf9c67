/** Whether this browser runs on a device that the mobile app is for. */
export function isAndroid(): boolean {
  return /Android/i.test(navigator.userAgent)
}
