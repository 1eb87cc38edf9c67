import { existsSync } from 'node:fs'

const places = [
  process.env.COTURN_PATH,
  '/usr/bin/turnserver',
  '/usr/local/bin/turnserver',
  '/opt/homebrew/bin/turnserver',
  '/opt/homebrew/opt/coturn/bin/turnserver',
]

/** The coturn on this machine, or an empty text where none was found. */
export function coturnPath(): string {
  return places.find((path) => path !== undefined && existsSync(path)) ?? ''
}
