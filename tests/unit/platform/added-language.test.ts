import { execFileSync } from 'node:child_process'
import { cpSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import type * as Languages from '../../../protocol/languages.ts'
import type * as Catalogue from '../../../src/platform/texts/catalogue.ts'

/** Copies the project, and adds French as CONTRIBUTING.md says: a name, and the files of English with other sentences. */
function withFrench(): string {
  const folder = mkdtempSync(join(tmpdir(), 'waggle-language-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  for (const name of ['protocol', 'src', 'package.json'])
    cpSync(name, join(folder, name), { recursive: true, filter: (path) => !path.includes('tsconfig') })
  symlinkSync(resolve('node_modules'), join(folder, 'node_modules'))
  const table = join(folder, 'protocol/languages.ts')
  writeFileSync(table, readFileSync(table, 'utf8').replace("{ en: 'English'", "{ fr: 'Français', en: 'English'"))
  for (const english of globSync('src/*/texts/en/*.ts')) {
    const french = join(folder, english.replace('/en/', '/fr/'))
    mkdirSync(dirname(french), { recursive: true })
    writeFileSync(french, readFileSync(english, 'utf8').replace('person online now', 'personne en ligne'))
  }
  return folder
}

test('a language that is added to the table, with its texts, is offered, chosen and shown', async () => {
  const folder = withFrench()
  const { languages, pickLanguage } = (await import(
    pathToFileURL(join(folder, 'protocol/languages.ts')).href
  )) as typeof Languages
  expect(languages).toEqual(['fr', 'en', 'es', 'en-XB'])
  const french = pickLanguage({ parameter: null, cookie: null, accepted: ['fr-CA', 'en'] })
  expect(french).toBe('fr')

  // In a process of its own: here Vitest would compile the texts first.
  execFileSync(process.execPath, ['tests/support/build-catalogue.ts', folder])
  const { loadTexts } = (await import(pathToFileURL(join(folder, 'built/catalogue.js')).href)) as typeof Catalogue
  expect(JSON.stringify(await loadTexts(french, 'dashboard'))).toContain('personne en ligne')
  expect(JSON.stringify(await loadTexts('en', 'dashboard'))).not.toContain('personne en ligne')
})
