import { readdirSync } from 'node:fs'
import { join } from 'node:path'

/** TypeScript sources below a folder, by their paths from the root of the repository. */
export function sourcesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
}
