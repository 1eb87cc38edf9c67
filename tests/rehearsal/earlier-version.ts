import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const LOCK = 'package-lock.json'

function git(...words: string[]): string {
  return execFileSync('git', words, { encoding: 'utf8' }).trim()
}

/** The main branch at the end of the day on which the changelog first named 0.1.0; earlier that day tables and folders were being renamed. */
const BEFORE_TAGS = '636c4272e10ec14a4fa2911dc97e4aef6054cfa1'

/** The version that was deployed first: its tag, or as long as there is none the commit that comes closest. */
function firstVersion(): string {
  return git('tag', '--list', 'v0.1.0') || BEFORE_TAGS
}

export type EarlierVersion = { commit: string; folder: string }

/** Checks the commit out, installs its packages and builds its pages, in a temporary folder that is used again the next time. */
export function earlierVersion(revision: string | undefined): EarlierVersion {
  const commit = git('rev-parse', '--verify', `${revision ?? firstVersion()}^{commit}`)
  const folder = join(tmpdir(), `waggle-${commit.slice(0, 12)}`)
  if (existsSync(folder)) return { commit, folder }
  const unfinished = `${folder}-unfinished`
  rmSync(unfinished, { recursive: true, force: true })
  git('clone', '--quiet', '--no-checkout', '.', unfinished)
  git('-C', unfinished, 'checkout', '--quiet', '--detach', commit)
  const options = { cwd: unfinished, stdio: ['ignore', 'ignore', 'inherit'] as ['ignore', 'ignore', 'inherit'] }
  const isSame = readFileSync(LOCK, 'utf8') === readFileSync(join(unfinished, LOCK), 'utf8')
  if (isSame) symlinkSync(join(process.cwd(), 'node_modules'), join(unfinished, 'node_modules'))
  else execFileSync('npm', ['ci', '--no-audit', '--no-fund'], options)
  execFileSync(process.execPath, ['scripts/build.ts'], options)
  renameSync(unfinished, folder)
  return { commit, folder }
}
