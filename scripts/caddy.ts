import { existsSync } from 'node:fs'

const places = [process.env.CADDY_PATH, '/usr/bin/caddy', '/usr/local/bin/caddy', '/opt/homebrew/bin/caddy']

/** The Caddy on this machine, or an empty text where none was found. */
export function caddyPath(): string {
  return places.find((path) => path !== undefined && existsSync(path)) ?? ''
}
