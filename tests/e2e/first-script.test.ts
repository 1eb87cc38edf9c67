import { readFileSync } from 'node:fs'
import { expect, test } from '@playwright/test'
import * as v from 'valibot'

const manifestSchema = v.record(
  v.string(),
  v.object({ file: v.string(), isEntry: v.optional(v.boolean(), false), imports: v.optional(v.array(v.string()), []) }),
)
const manifest = v.parse(manifestSchema, JSON.parse(readFileSync('dist/.vite/manifest.json', 'utf8')))
const entries = Object.values(manifest).filter(({ isEntry }) => isEntry)

/** What is found in no other code than this, by what it is part of. */
const marks = {
  'the hub client': 'negotiateVersion',
  'the HTTP client': 'Retry-After',
  'the table of calls': 'cookie/access-token/validate',
  'the schemas of its answers': 'hubConnectionAccessToken',
  'the call machine': 'start-match-timer',
  'the calendar': 'rdp-',
}

test('the first screen is one script', () => {
  expect(entries).toHaveLength(1)
  expect(entries.flatMap(({ imports }) => imports)).toEqual([])
})

test('what only later screens and the workers need is no part of it', () => {
  const text = entries.map(({ file }) => readFileSync(`dist/${file}`, 'utf8')).join('')
  expect(Object.entries(marks).filter(([, mark]) => text.includes(mark))).toEqual([])
})
