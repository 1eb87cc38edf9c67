import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from '@playwright/test'
import * as v from 'valibot'

const manifestSchema = v.record(
  v.string(),
  v.object({
    file: v.string(),
    isEntry: v.optional(v.boolean(), false),
    imports: v.optional(v.array(v.string()), []),
    dynamicImports: v.optional(v.array(v.string()), []),
  }),
)
const manifest = v.parse(manifestSchema, JSON.parse(readFileSync('dist/.vite/manifest.json', 'utf8')))

/** Texts that identify the console's pages and its endpoint table in any file of a build. */
const marks = ['For moderators. Everything you do', 'moderation/queue', 'Your login has ended.']
const scripts = readdirSync('dist/assets').filter((file) => file.endsWith('.js'))
const ofConsole = scripts.filter((file) => {
  const text = readFileSync(`dist/assets/${file}`, 'utf8')
  return marks.some((mark) => text.includes(mark))
})

/** Returns the files of these chunks and of all their static and dynamic imports, except the console's page and store. */
function filesFrom(names: string[]): string[] {
  const all = new Set(names)
  for (const name of all) {
    const { imports = [], dynamicImports = [] } = manifest[name] ?? {}
    const next = [...imports, ...dynamicImports.filter((one) => !lazy.includes(one))]
    for (const one of next) all.add(one)
  }
  return [...all].map((name) => manifest[name]?.file.replace('assets/', '') ?? '')
}

const lazy = ['src/console/screens/console-page.tsx', 'src/app/create-console.ts']
const entries = Object.keys(manifest).filter((name) => manifest[name]?.isEntry)

test("no user's page loads code of the moderators' console, statically or dynamically", () => {
  expect(ofConsole.length).toBeGreaterThan(1)
  expect(filesFrom(entries).filter((file) => ofConsole.includes(file))).toEqual([])
  const workers = scripts.filter((file) => /^(network|media)\.worker|^(network|later-parts)-/.test(file))
  expect(workers).toHaveLength(4)
  expect(workers.filter((file) => ofConsole.includes(file))).toEqual([])
})

test('the service worker caches no code of the console', () => {
  const serviceWorker = readFileSync('dist/service-worker.js', 'utf8')
  expect(serviceWorker).toContain('assets/')
  expect(ofConsole.filter((file) => serviceWorker.includes(file))).toEqual([])
})
