import { firstExisting } from './first-existing.ts'

const paths = [
  process.env.COTURN_PATH,
  '/usr/bin/turnserver',
  '/usr/local/bin/turnserver',
  '/opt/homebrew/bin/turnserver',
  '/opt/homebrew/opt/coturn/bin/turnserver',
]

/** Returns the path of coturn on this machine, or an empty string. */
export function coturnPath(): string {
  return firstExisting(paths)
}
