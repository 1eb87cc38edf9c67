import { firstExisting } from './first-existing.ts'

const paths = [process.env.CADDY_PATH, '/usr/bin/caddy', '/usr/local/bin/caddy', '/opt/homebrew/bin/caddy']

/** Returns the path of Caddy on this machine, or an empty string. */
export function caddyPath(): string {
  return firstExisting(paths)
}
