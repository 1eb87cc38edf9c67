import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'

/** Programs from outside of npm, by Debian package. Each function returns the path at which it is found, or an empty string. */
export type Programs = Readonly<Record<string, () => string>>

async function apt(...args: string[]): Promise<boolean> {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const [code] = await once(spawn('apt-get', args, { stdio: ['ignore', 'ignore', 'inherit'], env }), 'close')
  return code === 0
}

/** Installs what is missing, where that is allowed. Resolves with the packages that are missing then, and prints the command for each. */
export async function installMissing(programs: Programs): Promise<string[]> {
  const missing = () => Object.keys(programs).filter((name) => programs[name]?.() === '')
  const mayInstall = process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')
  if (missing().length > 0 && mayInstall) {
    console.log(`Installing ${missing().join(', ')}`)
    if (await apt('update')) await apt('install', '-y', ...missing())
  }
  for (const name of missing())
    console.error(`${name} is missing: apt-get install ${name}, or name an installed one (README, "Test it")`)
  return missing()
}
