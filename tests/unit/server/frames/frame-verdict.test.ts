import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  countFlags,
  type FrameVerdict,
  type JudgedFrame,
  verdictOf,
} from '../../../../server/frames/rules/frame-verdict.ts'

const harmless = { drawing: 0.1, hentai: 0, neutral: 0.9, porn: 0, sexy: 0 }
const policy = { flagScore: 0.85, hits: 3, among: 6, windowMs: 60_000 }

test('explicit pictures are flagged from the configured score on, skin alone is only suspicious', () => {
  expect(verdictOf(harmless, 0.85)).toBe('nothing')
  expect(verdictOf({ ...harmless, porn: 0.84 }, 0.85)).toBe('nothing')
  expect(verdictOf({ ...harmless, porn: 0.85 }, 0.85)).toBe('flagged')
  expect(verdictOf({ ...harmless, porn: 0.5, hentai: 0.4 }, 0.85)).toBe('flagged')
  expect(verdictOf({ ...harmless, sexy: 0.99 }, 0.85)).toBe('suspicious')
  expect(verdictOf({ ...harmless, porn: 0.5, sexy: 0.4 }, 0.85)).toBe('suspicious')
})

function count(...verdicts: [FrameVerdict, number][]) {
  let counting: JudgedFrame[] = []
  return verdicts.map(([verdict, at]) => {
    const step = countFlags(counting, { verdict, at, score: 0.9 }, policy)
    counting = step.counting
    return step.flagged?.map((frame) => frame.at) ?? null
  })
}

test('there is no finding before enough of the latest pictures are flagged', () => {
  expect(count(['flagged', 0], ['nothing', 1], ['flagged', 2], ['suspicious', 3], ['flagged', 4])).toEqual([
    null,
    null,
    null,
    null,
    [0, 2, 4],
  ])
})

test('a flag before the last six pictures does not count', () => {
  const harmlessOnes = [1, 2, 3, 4].map((at): [FrameVerdict, number] => ['nothing', at])
  expect(count(['flagged', 0], ...harmlessOnes, ['flagged', 5], ['flagged', 6]).at(-1)).toBeNull()
})

test('a flag from before the window does not count', () => {
  expect(count(['flagged', 0], ['flagged', 1], ['flagged', 60_000]).at(-1)).toBeNull()
  expect(count(['flagged', 0], ['flagged', 1], ['flagged', 59_999]).at(-1)).toEqual([0, 1, 59_999])
})

test('no picture is part of two findings, and there is no finding without enough flags', () => {
  const verdicts = fc.array(fc.constantFrom<FrameVerdict>('nothing', 'suspicious', 'flagged'), {
    maxLength: 60,
    size: 'max',
  })
  fc.assert(
    fc.property(verdicts, (all) => {
      const findings = count(...all.map((verdict, index): [FrameVerdict, number] => [verdict, index * 100]))
      const found = findings.flatMap((times) => times ?? [])
      expect(new Set(found).size).toBe(found.length)
      for (const times of findings) {
        if (!times) continue
        expect(times).toHaveLength(policy.hits)
        for (const at of times) expect(all[at / 100]).toBe('flagged')
      }
    }),
  )
})
