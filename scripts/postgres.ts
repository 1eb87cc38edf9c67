import { existsSync, readdirSync } from 'node:fs'
import { delimiter, join } from 'node:path'

const DEBIAN = '/usr/lib/postgresql'

/** Debian keeps a folder a version, and puts none of them on the path. */
function debianFolders(): string[] {
  if (!existsSync(DEBIAN)) return []
  const newestFirst = readdirSync(DEBIAN).sort((a, b) => Number(b) - Number(a))
  return newestFirst.map((version) => join(DEBIAN, version, 'bin'))
}

/** The folder of `initdb` and `postgres` on this machine, or an empty text where none was found. */
export function postgresFolder(): string {
  const folders = [...(process.env.PATH ?? '').split(delimiter), ...debianFolders()]
  return folders.find((folder) => ['initdb', 'postgres'].every((name) => existsSync(join(folder, name)))) ?? ''
}
