import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '..', '..', '..')
const read = (name: string) => readFileSync(join(root, name), 'utf8')

const folders = /^(?:\.ci|deploy|docs|protocol|public|scripts|server|src|tests|workers)\//
const topFile = /^[\w.-]+\.(?:json|md|ts|html)$|^\.dockerignore$/

/** Returns texts in backticks that look like a file or folder of the repository. */
function pathsIn(text: string): string[] {
  const quoted = [...text.matchAll(/`([^`\s]+)`/g)].map(([, path = '']) => path)
  return [...new Set(quoted.filter((path) => folders.test(path) || topFile.test(path)))]
}

test.each(['docs/threat-model.md', 'docs/asvs.md'])('every file that %s names exists', (name) => {
  const paths = pathsIn(read(name)).filter((path) => path !== 'secrets.json')
  expect(paths.length).toBeGreaterThan(50)
  expect(paths.filter((path) => !existsSync(join(root, path)))).toEqual([])
})

test('links between the two documents lead to headings that exist', () => {
  const anchors = new Set(
    [...read('docs/threat-model.md').matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
      heading
        .toLowerCase()
        .replace(/[^\w\s-]/g, '')
        .replaceAll(' ', '-'),
    ),
  )
  const used = [...read('docs/asvs.md').matchAll(/\(threat-model\.md#([\w-]+)\)/g)].map(([, anchor]) => anchor)
  expect(used.length).toBeGreaterThan(5)
  expect(used.filter((anchor) => !anchors.has(anchor ?? ''))).toEqual([])
})

test('the ASVS table has each requirement of levels 1 and 2 once, with an answer', () => {
  const rows = [...read('docs/asvs.md').matchAll(/^\| (\d+\.\d+\.\d+) \| ([12]) \| [^|]+ \| (\S+)/gm)]
  expect(new Set(rows.map(([, number]) => number)).size).toBe(rows.length)
  expect(rows.filter(([, , level]) => level === '1')).toHaveLength(70)
  expect(rows.filter(([, , level]) => level === '2')).toHaveLength(183)
  const answers = new Set(rows.map(([, , , answer = '']) => answer.replace(':', '')))
  expect([...answers].sort()).toEqual(['n/a', 'no', 'partly', 'yes'])
})
