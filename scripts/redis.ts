import { existsSync } from 'node:fs'

const places = [
  process.env.REDIS_SERVER_PATH,
  '/usr/bin/redis-server',
  '/usr/bin/valkey-server',
  '/usr/local/bin/redis-server',
  '/opt/homebrew/bin/redis-server',
]

/** The Redis or Valkey server on this machine, or an empty text where none was found. */
export function redisServerPath(): string {
  return places.find((path) => path !== undefined && existsSync(path)) ?? ''
}
