import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'

function runHere(command: string, args: string[]): boolean {
  return spawnSync(command, args, { stdio: 'inherit' }).status === 0
}

/** Installs a Debian package if this process may. */
export function install(debianPackage: string): void {
  const mayInstall = process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')
  if (mayInstall && runHere('apt-get', ['update'])) runHere('apt-get', ['install', '-y', debianPackage])
}

/** Installs a missing program where that is allowed, else prints what to install. */
export function have(debianPackage: string, found: () => string, advice: string): boolean {
  if (found() === '') install(debianPackage)
  if (found() === '') console.error(advice)
  return found() !== ''
}
