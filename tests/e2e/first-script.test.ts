import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from '@playwright/test'
import * as v from 'valibot'

const manifestSchema = v.record(
  v.string(),
  v.object({ file: v.string(), isEntry: v.optional(v.boolean(), false), imports: v.optional(v.array(v.string()), []) }),
)
const manifest = v.parse(manifestSchema, JSON.parse(readFileSync('dist/.vite/manifest.json', 'utf8')))
const entries = Object.values(manifest).filter(({ isEntry }) => isEntry)

const scripts = readdirSync('dist/assets').filter((file) => file.endsWith('.js'))
const [worker = ''] = scripts.filter((file) => file.startsWith('network.worker-'))

/** A text that occurs only in this code, by its part of the product. */
const marks = {
  'the hub client': 'negotiateVersion',
  'the HTTP client': 'Retry-After',
  'the endpoint table': 'cookie/access-token/validate',
  'the response schemas': 'hubConnectionAccessToken',
  'the call machine': 'start-match-timer',
  'the calendar': 'rdp-',
  'the schema library': '~standard',
}

test('the first screen is one script', () => {
  expect(entries).toHaveLength(1)
  expect(entries.flatMap(({ imports }) => imports)).toEqual([])
})

test('the first script has no code that only later screens or workers need', () => {
  const text = entries.map(({ file }) => readFileSync(`dist/${file}`, 'utf8')).join('')
  expect(Object.entries(marks).filter(([, mark]) => text.includes(mark))).toEqual([])
})

const fileOf = (name: string) => scripts.find((file) => file.startsWith(`${name}-`)) ?? ''
const importsOf = (file: string) =>
  [...readFileSync(`dist/assets/${file}`, 'utf8').matchAll(/(?:from|import)"\.\/([^"]+)"/g)].map(([, name]) => name)

test('the start of a visit waits only for what its request needs of the worker', () => {
  const text = readFileSync(`dist/assets/${fileOf('network')}`, 'utf8')
  expect(text).toContain('Retry-After')
  const later = {
    'the endpoint table': 'cookie/access-token/validate',
    'the own data': 'reportsReceived',
    'the log': 'AppLogs',
    'the names of browsers': 'SamsungBrowser',
    'the refresh of the login': 'could not be renewed',
  }
  expect(Object.entries(later).filter(([, mark]) => text.includes(mark))).toEqual([])
})

test('the worker is three files, and none imports the first', () => {
  expect(importsOf(worker)).toEqual([])
  expect(importsOf(fileOf('network'))).toEqual([])
  expect(importsOf(fileOf('later-parts'))).toEqual([fileOf('network')])
})

test("no script imports a worker's first, which WebKit would run a second time", () => {
  const workers = scripts.filter((file) => file.includes('.worker-'))
  expect(workers.length).toBeGreaterThan(1)
  const imported = new Set(scripts.flatMap(importsOf))
  expect(workers.filter((file) => imported.has(file))).toEqual([])
})

test.describe('a screen is loaded without the schema library', () => {
  /** The text of these modules' chunks and of all that they import. */
  function textOf(modules: string[]): string {
    const names = new Set(modules)
    for (const name of names) for (const next of manifest[name]?.imports ?? []) names.add(next)
    return [...names].map((name) => readFileSync(`dist/${manifest[name]?.file}`, 'utf8')).join('')
  }

  for (const [screen, modules] of [
    ['the sign-in page', ['src/account/sign-in/sign-in-page.tsx']],
    ['the dashboard', ['src/lobby/screens/dashboard-page.tsx', 'src/app/create-member.ts']],
  ] as const) {
    test(screen, () => expect(textOf([...modules]).includes('~standard')).toBe(false))
  }
})
