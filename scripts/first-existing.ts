import { existsSync } from 'node:fs'

/** Returns the first path that exists, or an empty string. */
export function firstExisting(paths: readonly (string | undefined)[]): string {
  return paths.find((path) => path !== undefined && existsSync(path)) ?? ''
}
