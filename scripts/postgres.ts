import { existsSync, readdirSync } from 'node:fs'
import { delimiter, join } from 'node:path'

const DEBIAN = '/usr/lib/postgresql'

/** Debian keeps a folder a version, and puts none of them on the path. */
function debianFolders(): string[] {
  if (!existsSync(DEBIAN)) return []
  const newestFirst = readdirSync(DEBIAN).sort((a, b) => Number(b) - Number(a))
  return newestFirst.map((version) => join(DEBIAN, version, 'bin'))
}

function folders(): string[] {
  return [...(process.env.PATH ?? '').split(delimiter), ...debianFolders()]
}

/** The folder of `initdb` and `postgres` on this machine, or an empty text where none was found. */
export function postgresFolder(): string {
  return folders().find((one) => ['initdb', 'postgres'].every((name) => existsSync(join(one, name)))) ?? ''
}

/** The path of a program of PostgreSQL, or its bare name where no folder with it was found. */
export function postgresProgram(name: 'pg_dump' | 'pg_restore'): string {
  const folder = folders().find((one) => existsSync(join(one, name)))
  return folder === undefined ? name : join(folder, name)
}
