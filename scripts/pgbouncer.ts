import { firstExisting } from './first-existing.ts'

const paths = [process.env.PGBOUNCER_PATH, '/usr/sbin/pgbouncer', '/usr/bin/pgbouncer', '/opt/homebrew/bin/pgbouncer']

/** Returns the path of PgBouncer on this machine, or an empty string. */
export function pgbouncerPath(): string {
  return firstExisting(paths)
}
