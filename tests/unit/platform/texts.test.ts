import { globSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { CompiledMessage } from '@lingui/message-utils/compileMessage'
import { describe, expect, test } from 'vitest'
import { languages, PSEUDO_LANGUAGE } from '#protocol/languages.ts'
import { textsOf } from '../../../src/app/pages.ts'
import { loadTexts, type TextGroup } from '../../../src/platform/texts/catalogue.ts'
import type { FilledMessage, Messages, Values } from '../../../src/platform/texts/messages.ts'
import { filled } from '../../../src/platform/texts/texts.ts'

const groups = globSync('src/*/texts/en/*.ts').map((path) => basename(path, '.ts') as TextGroup)
const english = new Map(await Promise.all(groups.map(async (group) => [group, await loadTexts('en', group)] as const)))

function namesIn(tokens: CompiledMessage): string[] {
  return tokens.flatMap((token) => {
    if (typeof token === 'string') return []
    const [name, , branches] = token
    const inside = typeof branches === 'object' && branches !== null ? Object.values(branches) : []
    return [name, ...inside.flatMap((branch) => (Array.isArray(branch) ? namesIn(branch) : []))]
  })
}

function wordsIn(message: string | FilledMessage): string {
  return typeof message === 'string' ? message : JSON.stringify(message.tokens)
}

/** Returns the names of placeholders and tags, without repetitions. */
function holesIn(message: string | FilledMessage): string[] {
  const names = typeof message === 'string' ? [] : namesIn(message.tokens)
  const tags = wordsIn(message).match(/<\/?[\w-]+\/?>/g) ?? []
  return [...new Set([...names, ...tags])].sort()
}

function textIn(texts: Messages | undefined, key: string, values: Values): string {
  const message = texts?.[key] ?? ''
  return typeof message === 'string' ? message : message.format(values)
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
}

/** Returns the keys in a source; those with a part that is computed at run time as patterns. */
function keysNamedIn(source: string): RegExp[] {
  const plain = [...source.matchAll(/['"]([a-z-]+(?:\.[\w-]+)+)['"]/g)]
  const chosen = [...source.matchAll(/`([a-z-]+\.[^`]*)`/g)]
  return [...plain, ...chosen].flatMap(([, text = '']) => {
    if (!groups.some((group) => text.startsWith(`${group}.`))) return []
    const parts = text.split(/\$\{[^}]*\}/).map((part) => part.replaceAll('.', '\\.'))
    return [new RegExp(`^${parts.join('[\\w-]+')}$`)]
  })
}

const sources = filesBelow('src')
  .filter((file) => !/\/texts\/[a-z]{2}\//.test(file))
  .map((file) => ({ file, source: readFileSync(file, 'utf8') }))

describe.each(groups)('texts of %s', (group) => {
  test.each(languages.filter((language) => language !== 'en'))(
    '%s has the same keys, with the same placeholders',
    async (language) => {
      const there = await loadTexts(language, group)
      const here = english.get(group) ?? {}
      expect(Object.keys(there)).toEqual(Object.keys(here))
      for (const [key, message] of Object.entries(there))
        expect([key, holesIn(message)]).toEqual([key, holesIn(here[key] ?? '')])
    },
  )

  test('every key begins with the name of its file, and none is empty', () => {
    for (const [key, message] of Object.entries(english.get(group) ?? {})) {
      expect(key.startsWith(`${group}.`)).toBe(true)
      expect(wordsIn(message)).not.toBe('')
    }
  })

  test('every key is used', () => {
    const named = sources.flatMap(({ source }) => keysNamedIn(source))
    const unused = Object.keys(english.get(group) ?? {}).filter((key) => !named.some((pattern) => pattern.test(key)))
    expect(unused).toEqual([])
  })
})

test('the first texts have no placeholders, which would add code to the first bundle', () => {
  for (const message of Object.values(english.get('first') ?? {})) expect(typeof message).toBe('string')
})

test('Spanish is not English', async () => {
  const same: string[] = []
  for (const group of groups) {
    const spanish: Messages = await loadTexts('es', group)
    for (const [key, message] of Object.entries(english.get(group) ?? {})) {
      if (wordsIn(spanish[key] ?? '') === wordsIn(message)) same.push(key)
    }
  }
  expect(same.sort()).toEqual(['call.chat', 'privacy.cookies'])
})

test('values stand in a sentence without a plural as they are, and in each language where it puts them', async () => {
  expect(filled([['days'], ' of ', ['name'], ', ', ['days']]).format({ days: 3, name: '<b>' })).toBe('3 of <b>, 3')
  const values = { provider: 'Google' }
  const both = ['en', 'es'] as const
  const [inEnglish, inSpanish] = await Promise.all(both.map(async (language) => loadTexts(language, 'sign-in')))
  expect(textIn(inEnglish, 'sign-in.provider', values)).toBe('Sign in with Google')
  expect(textIn(inSpanish, 'sign-in.provider', values)).toContain('Google')
})

test('plurals', async () => {
  const count = async (language: 'en' | 'es', value: number) => {
    const message = (await loadTexts(language, 'dashboard'))['dashboard.online']
    return typeof message === 'object' ? message.format({ count: value }) : message
  }
  expect([await count('en', 1), await count('en', 2), await count('en', 0)]).toEqual([
    'person online now',
    'people online now',
    'people online now',
  ])
  expect([await count('es', 1), await count('es', 1_000_000)]).toEqual([
    'persona en línea ahora',
    'personas en línea ahora',
  ])
})

test('the pseudo-language is mirrored, accented and longer, and does not change inserted values', async () => {
  const { 'toasts.peer-left': left } = await loadTexts(PSEUDO_LANGUAGE, 'toasts')
  const shown = typeof left === 'object' ? left.format({ nickName: 'Ada' }) : ''
  expect(shown.startsWith('Ada ')).toBe(true)
  expect(shown).toContain('\u200f\u202eçháát\u202c\u200f.')
  const { 'sign-in.agreement': agreement } = await loadTexts(PSEUDO_LANGUAGE, 'sign-in')
  expect(agreement).toMatch(/<terms>\u200f\u202eTéérmš\u202c\u200f.*<\/terms>/)
})

/** Returns the modules that a screen imports statically. */
function modulesOf(entry: string, seen = new Set<string>()): Set<string> {
  if (seen.has(entry)) return seen
  seen.add(entry)
  const source = readFileSync(entry, 'utf8')
  for (const [, path = ''] of source.matchAll(/(?:from|import\() ?'(\.[^']+\.tsx?)'/g)) {
    const next = join(entry, '..', path)
    if (!/\/texts\/[a-z]{2}\//.test(next)) modulesOf(next, seen)
  }
  return seen
}

/** Returns the text groups that a module loads by itself, together with a dialog. */
function groupsNeededIn(file: string): string[] {
  const lists = readFileSync(file, 'utf8').matchAll(/texts(?:\.need\(|=\{\[)([^)\]]*)/g)
  return [...lists].flatMap(([, named = '']) => [...named.matchAll(/'([\w-]+)'/g)].map(([, group = '']) => group))
}

const screens = {
  signIn: 'account/sign-in/sign-in-page.tsx',
  welcome: 'account/welcome/welcome-page.tsx',
  dashboard: 'lobby/screens/dashboard-page.tsx',
  matching: 'call/search/matching-page.tsx',
  call: 'call/screens/call-page.tsx',
  about: 'site/about/about-page.tsx',
  terms: 'site/terms/terms-page.tsx',
  privacy: 'site/privacy/privacy-page.tsx',
  dataDeletion: 'site/data-deletion/data-deletion-page.tsx',
  deletionStatus: 'site/deletion-status/deletion-status-page.tsx',
  transparency: 'site/transparency/transparency-page.tsx',
  serviceStatus: 'site/service-status/service-status-page.tsx',
  reportContent: 'site/report-content/report-content-page.tsx',
  profile: 'tools/report/report-page.tsx',
  appVersion: 'site/app-version/app-version-page.tsx',
} as const satisfies Record<keyof typeof textsOf, string>

test.each(Object.entries(screens))('%s loads the texts of everything that it shows', (name, page) => {
  const files = [...modulesOf(`src/${page}`)].filter((file) => file.endsWith('.tsx'))
  const loaded: readonly string[] = [
    'first',
    ...textsOf[name as keyof typeof screens],
    ...files.flatMap(groupsNeededIn),
  ]
  const needed = files.flatMap((file) =>
    keysNamedIn(readFileSync(file, 'utf8')).flatMap(({ source }) =>
      groups.filter((group) => source.startsWith(`^${group}\\.`)),
    ),
  )
  expect([...new Set(needed)].filter((group) => !loaded.includes(group))).toEqual([])
})
