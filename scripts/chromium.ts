import { pathOf } from './programs.ts'

export const chromiumPath = (): string => pathOf('chromium')
export const headlessChromiumPath = (): string => pathOf('chromium-headless-shell')

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
