import { firstExisting } from './first-existing.ts'

const paths = [
  process.env.REDIS_SERVER_PATH,
  '/usr/bin/redis-server',
  '/usr/bin/valkey-server',
  '/usr/local/bin/redis-server',
  '/opt/homebrew/bin/redis-server',
]

/** Returns the path of Redis or Valkey server on this machine, or an empty string. */
export function redisServerPath(): string {
  return firstExisting(paths)
}
