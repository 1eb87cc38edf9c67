import { expect, test } from 'vitest'
import { parse } from '#protocol/parse.ts'
import { readTransparency } from '#protocol/transparency.ts'

const known = [
  { indicator: 'notices-received', scope: 'nudity', value: 12 },
  { indicator: 'notices-received', scope: 'total', value: null },
] as const

test('an older page leaves out the rows of a newer server that it does not know, and shows the rest', () => {
  const newer = [
    { indicator: 'orders-received', scope: 'total', value: 7 },
    { indicator: 'notices-received', scope: 'a-reason-of-later', value: 7 },
    { indicator: 'notices-received', scope: 'spam', value: { least: 5, most: 9 } },
    null,
  ]
  const report = { from: '2026-01', to: '2026-06', publishedAt: 1, rows: [newer[0], known[0], ...newer, known[1]] }
  const { response } = readTransparency
  expect(parse(response, { report })).toEqual({ report: { ...report, rows: known } })
})
