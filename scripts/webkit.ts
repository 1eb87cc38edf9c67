import { firstExisting } from './first-existing.ts'

/** Returns the path of WebKitGTK's WebDriver server on this machine, or an empty string. */
export function webkitDriverPath(): string {
  return firstExisting([process.env.WEBKIT_DRIVER_PATH, '/usr/bin/WebKitWebDriver', '/usr/local/bin/WebKitWebDriver'])
}

/** Returns the path of the X server without a screen, which WebKitGTK needs, or an empty string. */
export function xvfbPath(): string {
  return firstExisting([process.env.XVFB_PATH, '/usr/bin/Xvfb', '/usr/local/bin/Xvfb'])
}
