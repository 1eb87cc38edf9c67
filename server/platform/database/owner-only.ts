import { chmod, writeFile } from 'node:fs/promises'

/** Reading and writing for the user that runs the server, nothing for others. */
const OWNER_ONLY = 0o600

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}

/** Takes the file away from other users, where it exists. */
export async function keepForOwner(path: string): Promise<void> {
  try {
    await chmod(path, OWNER_ONLY)
  } catch (error) {
    if (!isCode(error, 'ENOENT')) throw error
  }
}

/**
 * Makes an empty file for the owner alone, or takes an existing one away from other users. Never opens an existing file: closing
 * it would end the locks that this process holds on it.
 */
export async function createForOwner(path: string): Promise<void> {
  try {
    await writeFile(path, '', { flag: 'wx', mode: OWNER_ONLY })
  } catch (error) {
    if (!isCode(error, 'EEXIST')) throw error
    await keepForOwner(path)
  }
}
