import { firstExisting } from './first-existing.ts'

const paths = [
  process.env.CHROMIUM_PATH,
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]

/** Returns the path of Chromium on this machine, or an empty string. */
export function chromiumPath(): string {
  return firstExisting(paths)
}

/**
 * Returns the path of the browser for tests that show no window: CHROMIUM_PATH, or Chromium's headless shell, which takes a fifth
 * less processor time, or Chromium.
 */
export function headlessChromiumPath(): string {
  return firstExisting([process.env.CHROMIUM_PATH, '/usr/bin/chromium-headless-shell', chromiumPath()])
}

/** Arguments for a fake camera and microphone, loopback traffic only, and no sandbox when run by root. */
export const chromiumArgs = [
  '--use-fake-device-for-media-stream',
  '--use-fake-ui-for-media-stream',
  '--allow-loopback-in-peer-connection',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
  '--autoplay-policy=no-user-gesture-required',
  '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1',
  ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
]
