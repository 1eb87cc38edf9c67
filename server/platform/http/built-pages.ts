import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { type Language, languages } from '#protocol/languages.ts'
import type { Config } from '../../config/config.ts'
import { pageConfigOf, withPageConfig } from '../../config/page-config.ts'
import type { Drawn } from './pages.ts'

/**
 * Folder of the build with a folder for each language. The name is hidden, because the pages in it must not be served
 * without the configuration.
 */
const PRERENDERED = '.pages'
/** The page that is sent for every path that is not prerendered. */
const SHELL = 'shell.html'

/** The landing page for a browser with a login: it preloads the dashboard, whereas `index.html` preloads the sign-in page. */
const FOR_MEMBERS = 'index.member.html'

/** Returns the code of the scripts inside these pages, which is the same in every language. */
function inlineScriptsOf(drawn: Iterable<Drawn>): string[] {
  const pages = [...drawn].flatMap(({ shell, forMembers, prerendered }) => [shell, forMembers, ...prerendered.values()])
  return [
    ...new Set(
      pages.flatMap((html) => [...(html ?? '').matchAll(/<script>(.*?)<\/script>/gs)].map(([, code = '']) => code)),
    ),
  ]
}

/** Resolves with the pages of a build, filled with this server's configuration; null for a build without prerendered pages. */
export async function builtPages(config: Config, dist: string | null) {
  if (dist === null) return null
  const pageConfig = pageConfigOf(config)

  async function drawnIn(language: Language): Promise<[Language, Drawn]> {
    const folder = join(dist ?? '', PRERENDERED, language)
    const finish = async (name: string) => withPageConfig(await readFile(join(folder, name), 'utf8'), pageConfig)
    const all = await readdir(folder)
    const names = all.filter((name) => name !== SHELL && name !== FOR_MEMBERS)
    const prerendered = new Map<string, string>()
    for (const name of names) {
      prerendered.set(`/${name === 'index.html' ? '' : basename(name, '.html')}`, await finish(name))
    }
    const forMembers = all.includes(FOR_MEMBERS) ? await finish(FOR_MEMBERS) : null
    return [language, { shell: await finish(SHELL), forMembers, prerendered }]
  }

  // A folder that was built by an earlier version has no prerendered pages.
  const built = languages.filter((language) => existsSync(join(dist, PRERENDERED, language, SHELL)))
  if (built.length === 0) return null
  const drawn = new Map(await Promise.all(built.map(drawnIn)))
  return { folder: dist, drawn, inlineScripts: inlineScriptsOf(drawn.values()) }
}
