import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '..', '..', '..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const folders = '{deploy,docs,protocol,scripts,server,src,tests,workers}'
const files = globSync(['*.md', `${folders}/**/*.{css,lua,md,ts,tsx}`], { cwd: root }).sort()

/** The ids of the rules of docs/product.md, in their order. Each stands at the head of a list item or a row. */
const rules = [...read('docs/product.md').matchAll(/^(?:- |\| )\*\*([A-Z]+-\d+)\*\*/gm)].map(([, id = '']) => id)
const chapters = new Set(rules.map((id) => id.replace(/-\d+$/, '')))
const anyRule = new RegExp(String.raw`\b(?:${[...chapters].join('|')})-\d+\b`, 'g')

function unknownIn(text: string): string[] {
  return (text.match(anyRule) ?? []).filter((id) => !rules.includes(id))
}

test('every rule of docs/product.md has an id of its own, and those of a chapter ascend', () => {
  expect(rules.length).toBeGreaterThan(150)
  expect(new Set(rules).size).toBe(rules.length)
  for (const chapter of chapters) {
    const numbers = rules.filter((id) => id.startsWith(`${chapter}-`)).map((id) => Number(id.split('-')[1]))
    expect(numbers).toEqual(numbers.toSorted((one, other) => one - other))
  }
})

test('every rule that code, tests and documents cite exists', () => {
  const unknown = files.flatMap((path) => unknownIn(read(path)).map((id) => `${path}: ${id}`))
  expect(unknown).toEqual([])
})

test('code and documents cite the product by rule, and no document that the repository lacks', () => {
  const outside = /section \d[\d.]* of the spec|product(?:'s)? (?:description|specification)/i
  const citing = files.filter((path) => !path.endsWith('product-citations.test.ts') && outside.test(read(path)))
  expect(citing).toEqual([])
})

test('a citation of a rule that does not exist is found', () => {
  const [chapter = ''] = chapters
  expect(unknownIn(`docs/product.md ${rules[0]} and ${chapter}-${rules.length}`)).toEqual([
    `${chapter}-${rules.length}`,
  ])
})
