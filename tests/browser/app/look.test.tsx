import { expect, test } from 'vitest'
import '../../../src/ui/styles/tokens.css'

/** Minimum contrast: 4.5 for text, 3 for parts of controls. */
const pairs: [string, string, number][] = [
  ['--ink', '--paper', 4.5],
  ['--ink', '--surface', 4.5],
  ['--muted', '--paper', 4.5],
  ['--muted', '--surface', 4.5],
  ['--honey-ink', '--paper', 4.5],
  ['--honey-ink', '--surface', 4.5],
  ['--on-honey', '--honey', 4.5],
  ['--on-bad', '--bad', 4.5],
  ['--good', '--surface', 4.5],
  ['--warn', '--surface', 4.5],
  ['--bad', '--paper', 4.5],
  ['--bad', '--surface', 4.5],
  ['--edge', '--paper', 3],
  ['--edge', '--surface', 3],
]

function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = (colour.match(/[\d.]+/g) ?? []).map((part) => {
    const share = Number(part) / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function contrast(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b)
  return (light + 0.05) / (dark + 0.05)
}

test.for(['light', 'dark'])('every colour is readable on its background in the %s scheme', (scheme) => {
  const sample = document.body.appendChild(document.createElement('div'))
  sample.style.colorScheme = scheme
  const resolved = (token: string): string => {
    sample.style.color = `var(${token})`
    return getComputedStyle(sample).color
  }
  const weak = pairs.filter(([text, ground, least]) => contrast(resolved(text), resolved(ground)) < least)
  sample.remove()
  expect(weak).toEqual([])
})
