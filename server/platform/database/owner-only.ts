import { chmod, writeFile } from 'node:fs/promises'

/** File mode: read and write for the user that runs the server, no access for other users. */
const OWNER_ONLY = 0o600

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}

/** Removes other users' access to the file if it exists. */
export async function keepForOwner(path: string): Promise<void> {
  try {
    await chmod(path, OWNER_ONLY)
  } catch (error) {
    if (!isCode(error, 'ENOENT')) throw error
  }
}

/**
 * Creates an empty file that only its owner may access, or removes other users' access to an existing file. Never opens
 * an existing file: closing the file would end the locks that this process holds on it.
 */
export async function createForOwner(path: string): Promise<void> {
  try {
    await writeFile(path, '', { flag: 'wx', mode: OWNER_ONLY })
  } catch (error) {
    if (!isCode(error, 'EEXIST')) throw error
    await keepForOwner(path)
  }
}
