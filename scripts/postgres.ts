import { existsSync, readdirSync } from 'node:fs'
import { delimiter, join } from 'node:path'

const DEBIAN = '/usr/lib/postgresql'

/** Debian has a folder for each version, none of them on the path. Newest first. */
function debianFolders(): string[] {
  if (!existsSync(DEBIAN)) return []
  const newestFirst = readdirSync(DEBIAN).sort((a, b) => Number(b) - Number(a))
  return newestFirst.map((version) => join(DEBIAN, version, 'bin'))
}

function folders(): string[] {
  return [...(process.env.PATH ?? '').split(delimiter), ...debianFolders()]
}

/** Returns the folder of `initdb` and `postgres` on this machine, or an empty string. */
export function postgresFolder(): string {
  return folders().find((one) => ['initdb', 'postgres'].every((name) => existsSync(join(one, name)))) ?? ''
}

/** Returns the path of a PostgreSQL program, or its bare name if it was not found. */
export function postgresProgram(name: 'pg_dump' | 'pg_restore'): string {
  const folder = folders().find((one) => existsSync(join(one, name)))
  return folder === undefined ? name : join(folder, name)
}
