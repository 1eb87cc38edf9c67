import { readFileSync } from 'node:fs'
import { parse } from 'acorn'
import { expect, test } from 'vitest'
import { buildBrowserCheck } from '../../../scripts/page-scripts.ts'

const code = await buildBrowserCheck()

test('the browser check is a script that a browser of 2014 can read', () => {
  expect(code).toContain('unsupported-texts')
  expect(() => parse(code, { ecmaVersion: 5, sourceType: 'script' })).not.toThrow()
})

test('the style sheets of its message need nothing that came later', () => {
  for (const name of ['unsupported', 'no-script']) {
    expect(readFileSync(`public/${name}.css`, 'utf8').replace(/\/\*.*?\*\//gs, '')).not.toMatch(
      /var\(|light-dark|oklab|dvh|inset|:is\(|:where\(|@layer|&/,
    )
  }
})
