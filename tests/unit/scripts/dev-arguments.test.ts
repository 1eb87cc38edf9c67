import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { describeLink, readDevArguments } from '../../../scripts/links/dev-arguments.ts'
import { type Network, networks } from '../../../scripts/links/links.ts'

const all = Object.entries<Network>(networks)
const steady = all.filter(([, { phases }]) => phases.length === 1)

test('a link is named, or there is none', () => {
  expect(readDevArguments([])).toBeNull()
  expect(readDevArguments(['--link', '3g'])).toBe('3g')
  expect(readDevArguments(['--link=drop'])).toBe('drop')
})

test.each([
  { args: ['--link', '5g'], why: 'There is no link called "5g"' },
  { args: ['--link', 'toString'], why: 'There is no link called "toString"' },
  { args: ['--link'], why: 'argument missing' },
  { args: ['--links', '3g'], why: "Unknown option '--links'" },
  { args: ['3g'], why: "Unexpected argument '3g'" },
])('$args is refused with every name and its description', ({ args, why }) => {
  expect(() => readDevArguments(args)).toThrow(why)
  for (const [key, { name }] of all) expect(() => readDevArguments(args)).toThrow(`  ${key.padEnd(10)} ${name}`)
})

test('the command fails before it starts anything', () => {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['scripts/dev.ts', '--link', '5g'], {
    encoding: 'utf8',
  })
  expect(status).toBe(1)
  expect(stdout).toBe('')
  expect(stderr).toMatch(/^There is no link called "5g".\n/)
  expect(stderr).toContain(networks.narrow.name)
})

test.each(steady)('the name of %s is what the link does', (_, { name, phases }) => {
  expect(phases.map(({ link }) => describeLink(link))).toEqual([name])
})

test('the documentation has all names', () => {
  const table = [...readFileSync('docs/profiling.md', 'utf8').matchAll(/^\| `(\w+)` \| (.+) \|$/gm)]
  expect(table.map(([, key, name]) => [key, name])).toEqual(all.map(([key, { name }]) => [key, name]))
})
