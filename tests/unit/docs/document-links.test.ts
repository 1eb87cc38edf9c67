import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '..', '..', '..')
const documents = globSync(['*.md', '{deploy,docs,tests}/**/*.md'], { cwd: root }).sort()

/** The anchors that a document's headings get on GitHub: a repeated heading gets `-1`, `-2` and so on. */
function anchorsOf(text: string): Set<string> {
  const seen = new Map<string, number>()
  const withoutCode = text.replace(/^```[\s\S]*?^```/gm, '')
  const anchors = [...withoutCode.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => {
    const anchor = heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-')
    const count = seen.get(anchor) ?? 0
    seen.set(anchor, count + 1)
    return count === 0 ? anchor : `${anchor}-${count}`
  })
  return new Set(anchors)
}

/** The link targets of a document that are in this repository. */
function localLinks(text: string): string[] {
  const targets = [...text.matchAll(/\]\(([^()\s]+)\)/g)].map(([, target = '']) => target)
  return targets.filter((target) => !/^[a-z]+:/.test(target))
}

function isBroken(document: string, link: string): boolean {
  const [path = '', anchor] = link.split('#')
  const target = path === '' ? document : join(dirname(document), path)
  if (!existsSync(join(root, target))) return true
  return anchor !== undefined && !anchorsOf(readFileSync(join(root, target), 'utf8')).has(anchor)
}

test.each(documents)('the links of %s lead to files and headings that exist', (document) => {
  const links = localLinks(readFileSync(join(root, document), 'utf8'))
  expect(links.filter((link) => isBroken(document, link))).toEqual([])
})

test('the decisions page links every topic', () => {
  const topics = documents.filter((path) => /^docs\/decisions\/(?!README)/.test(path))
  expect(topics.length).toBeGreaterThan(20)
  const links = localLinks(readFileSync(join(root, 'docs/decisions/README.md'), 'utf8'))
  expect(topics.map((path) => path.replace('docs/decisions/', '')).sort()).toEqual(links.sort())
})

test('a link to a missing file or heading is found', () => {
  expect(localLinks('[a](b.md#c) and [d](https://example.org/) and [e](#f)')).toEqual(['b.md#c', '#f'])
  expect(isBroken('README.md', 'docs/no-such-page.md')).toBe(true)
  expect(isBroken('README.md', 'docs/hub.md#no-such-heading')).toBe(true)
  expect(anchorsOf('# One\n## Two words, `code`\n## One\n')).toEqual(new Set(['one', 'two-words-code', 'one-1']))
})
