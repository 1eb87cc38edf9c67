import { spawnSync } from 'node:child_process'
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type FeatureRow, faultsOf, readRows } from './features/feature-table.ts'
import { youngerInScript } from './features/script-features.ts'
import { youngerInStyle } from './features/style-features.ts'

/** Checks that the built files run in the oldest browsers, except for what docs/browser-features.md names. */

const DIST = 'dist'
const DOCUMENT = 'docs/browser-features.md'
/** Features that es-check would report although the document names them. */
const checkedFirst = ['Uint8ArrayToBase64', 'Uint8ArrayFromBase64', 'SharedArrayBuffer']

const inline = /<script>(.+?)<\/script>/gs

function inlineScripts(): string[] {
  const pages = globSync(`${DIST}/.pages/**/*.html`)
  return [
    ...new Set(pages.flatMap((page) => [...readFileSync(page, 'utf8').matchAll(inline)].map(([, code = '']) => code))),
  ]
}

/** Returns whether es-check accepts syntax and built-in objects of the files. */
function isSyntaxKnown(files: string[], options: string[]): boolean {
  const known = ['checkBrowser', '--checkFeatures', '--ignore', checkedFirst.join(',')]
  return spawnSync('es-check', [...known, ...options, ...files], { stdio: 'inherit' }).status === 0
}

const modules = globSync(`${DIST}/assets/*.js`)
const styles = globSync(`${DIST}/assets/*.css`)
const folder = mkdtempSync(join(tmpdir(), 'inline-'))
const classic = [`${DIST}/service-worker.js`]
for (const [index, code] of inlineScripts().entries()) {
  const file = join(folder, `${index}.js`)
  writeFileSync(file, code)
  classic.push(file)
}

const faults: string[] = []
if (modules.length === 0 || styles.length === 0) faults.push(`There is no build in ${DIST}`)
if (classic.length < 2) faults.push('No page has a script of its own')
if (!isSyntaxKnown(modules, ['--module']) || !isSyntaxKnown(classic, [])) faults.push('es-check: see above')
const found = new Map([
  ...[...modules, ...classic].map((file) => [file, youngerInScript(readFileSync(file, 'utf8'), file)] as const),
  ...styles.map((file) => [file, youngerInStyle(readFileSync(file, 'utf8'))] as const),
])
rmSync(folder, { recursive: true })

const rows: FeatureRow[] = readRows(readFileSync(DOCUMENT, 'utf8'))
faults.push(...faultsOf(rows, found))
for (const fault of faults) console.error(fault)
if (faults.length > 0) console.error(`${DOCUMENT} says what to do`)
process.exitCode = faults.length > 0 ? 1 : 0
