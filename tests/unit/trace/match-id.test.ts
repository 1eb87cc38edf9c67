import { expect, test, vi } from 'vitest'
import { span } from '#workers/trace.ts'
import { createMatchSpans } from '../../../src/call/runner/match-reports.ts'
import { drawnStamps } from '../../support/stamps.ts'

const MATCH = '5f0c6a52-9d5f-4f0e-8a53-3a9e0c0a7e11'
const OTHER = '5f0c6a52-9d5f-4f0e-8a53-3a9e0c0a7e12'

/** The labels of one person's match. */
function labelsOf(matchId: string): string[] {
  const stamps = drawnStamps()
  const spans = createMatchSpans()
  spans.searching()
  spans.matched(matchId)
  span('Hub', 'SendOffer', 0, 1)
  span('Workers', 'request #1', 0, 1)
  spans.pictureArrived()
  spans.ended()
  spans.ended()
  span('Routes', '/call', 0, 1)
  return stamps.map(({ label }) => label)
}

test('the spans of a match carry a short id that is the same at both people, and not the id', () => {
  const labels = labelsOf(MATCH)
  const id = /\[([0-9a-f]{6})\]$/.exec(labels[0] ?? '')?.[1]
  expect(labels).toEqual([
    `search [${id}]`,
    `SendOffer [${id}]`,
    'request #1',
    `to the picture [${id}]`,
    `match [${id}]`,
    '/call',
  ])
  expect(MATCH).not.toContain(id)
  expect(labelsOf(MATCH)).toEqual(labels)
  expect(labelsOf(OTHER)[0]).not.toBe(labels[0])
})

test('without tracing nothing is drawn and no match is named', async () => {
  vi.resetModules()
  const trace = await import('#workers/trace.ts')
  const { createMatchSpans: create } = await import('../../../src/call/runner/match-reports.ts')
  const draw = vi.fn()
  vi.stubGlobal('console', { ...console, timeStamp: draw })
  const encode = vi.spyOn(TextEncoder.prototype, 'encode')
  const spans = create()
  spans.searching()
  spans.matched(MATCH)
  trace.span('Chunks', 'a.js', 0, 1)
  spans.ended()
  expect(draw).not.toHaveBeenCalled()
  expect(encode).not.toHaveBeenCalled()
  trace.startTracing()
  trace.span('Chunks', 'a.js', 0, 1)
  expect(draw).toHaveBeenCalledWith('a.js', 0, 1, 'Chunks', 'Chat', 'primary')
  encode.mockRestore()
  vi.unstubAllGlobals()
})
