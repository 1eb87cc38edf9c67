import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

/** Physical sides, independent of the text direction. */
const physical: Record<string, readonly string[]> = {
  'src/ui/styles/base.css': ['padding-left: env(safe-area-inset-left)', 'padding-right: env(safe-area-inset-right)'],
  'src/call/screens/call-page.module.css': [
    'padding-left: env(safe-area-inset-left)',
    'padding-right: env(safe-area-inset-right)',
  ],
  'src/call/screens/self-view.module.css': [
    'left: var(--space-3)',
    'right: calc(var(--space-3) + var(--cover-end))',
    'left: calc(var(--space-3) + var(--cover-end))',
    'right: var(--space-3)',
  ],
}

const named = /^(?:(?:margin|padding|border|inset)-)?(?:left|right)\b|^border-(?:top|bottom)-(?:left|right)-radius$/
const shorthand = /^(?:inset|margin|padding|scroll-margin|scroll-padding|border-width)$/

/** Returns the values of a shorthand: right and left are the second and the fourth. */
function sidesDiffer(value: string): boolean {
  let depth = 0
  const parts = ['']
  for (const character of value) {
    if (character === '(') depth += 1
    if (character === ')') depth -= 1
    if (character === ' ' && depth === 0) parts.push('')
    else parts.push((parts.pop() ?? '') + character)
  }
  return parts.length === 4 && parts[1] !== parts[3]
}

test.each(globSync('src/**/*.css').sort())('%s uses start and end, not left and right', (file) => {
  const declarations = readFileSync(file, 'utf8').matchAll(/^\s*([a-z-]+):\s*([^;]+);/gm)
  const wrong = [...declarations].flatMap(([, property = '', value = '']) => {
    const aligned = /^(?:text-align|float|clear|justify-\w+)$/.test(property) && /\b(?:left|right)\b/.test(value)
    const moved = /translateX\((?!.*--mirror)/.test(value)
    const sided = named.test(property) || (shorthand.test(property) && sidesDiffer(value))
    return aligned || moved || sided ? [`${property}: ${value}`] : []
  })
  expect(wrong).toEqual(physical[file] ?? [])
})
