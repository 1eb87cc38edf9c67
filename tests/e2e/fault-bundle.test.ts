import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from '@playwright/test'

/** Texts of the planted faults that a minifier keeps. */
const table = readFileSync('src/tools/faults/faults.ts', 'utf8')
const names = [...table.matchAll(/^ {2}'([a-z-]+)': /gm)].map(([, name = '']) => name)
const marks = ['No fault ', 'fault: ', 'dataset.fault', '("fault")', '(`fault`)']
/** The findings of /profile have the names of the faults; this one is of no fault. */
const ofFindings = 'leaked-connection'

test('a production build has no code of the planted faults', () => {
  expect(names).toHaveLength(12)
  const scripts = ['service-worker.js', ...readdirSync('dist/assets').filter((file) => file.endsWith('.js'))]
  expect(scripts.length).toBeGreaterThan(10)
  const found = scripts.flatMap((file) => {
    const script = readFileSync(file === 'service-worker.js' ? `dist/${file}` : `dist/assets/${file}`, 'utf8')
    const searched = script.includes(ofFindings) ? marks : [...marks, ...names]
    return searched.filter((mark) => script.includes(mark)).map((mark) => `${mark} in ${file}`)
  })
  expect(found).toEqual([])
})
