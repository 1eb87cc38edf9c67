// First, because React looks for its hook when it is loaded.

import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { isMeasuring, span } from '#workers/trace.ts'
import { showOverlay } from '../../../src/tools/overlay/overlay.ts'
import { takeRuns } from '../../support/browser/component-runs.ts'
import { englishTexts } from '../../support/browser/english-texts.ts'
import { drawn } from '../../support/browser/render.tsx'
import { openStillCall } from '../../support/browser/still-call.tsx'

const SECOND_MS = 1_000

afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

const box = () => document.querySelector<HTMLElement>('[data-overlay]')
const shown = () => [...(box()?.children ?? [])].map(({ textContent }) => textContent)

/** The clock stands still until the returned function adds to it. */
async function openOverlay() {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  let now = performance.now()
  vi.spyOn(performance, 'now').mockImplementation(() => now)
  const remove = await showOverlay(englishTexts())
  onTestFinished(remove)
  return {
    remove,
    pass(ms: number): void {
      now += ms
      vi.advanceTimersByTime(ms)
    },
  }
}

test('the overlay shows waits of requests and the bitrate of the readings that the product makes', async () => {
  const reports = [0, 125_000].map(
    (bytes) =>
      new Map<string, unknown>([
        ['O', { type: 'outbound-rtp', bytesSent: bytes, headerBytesSent: 0 }],
        ['I', { type: 'inbound-rtp', bytesReceived: 2 * bytes, headerBytesReceived: 0 }],
        ['R', { type: 'remote-inbound-rtp', bytesReceived: 7 * bytes }],
      ]) as unknown as RTCStatsReport,
  )
  const read = vi.spyOn(RTCPeerConnection.prototype, 'getStats')
  for (const report of reports) read.mockResolvedValueOnce(report)
  const { pass } = await openOverlay()
  expect(shown()).toEqual(['queue – ms, most – ms', '↑ – ↓ – kbit/s'])

  const connection = new RTCPeerConnection()
  await connection.getStats()
  span('Workers', 'queue request #1', performance.now() - 40)
  span('Workers', 'queue encodeChat #2', performance.now() - 3)
  span('Workers', 'work request #1', performance.now() - 900)
  pass(SECOND_MS)
  await connection.getStats()
  pass(SECOND_MS)
  connection.close()
  expect(shown()).toEqual(['queue 3 ms, most 40 ms', '↑ 1000 ↓ 2000 kbit/s'])

  pass(6 * SECOND_MS)
  expect(shown()[1]).toBe('↑ – ↓ – kbit/s')
})

test('removed, the overlay leaves nothing that it started', async () => {
  const { getStats } = RTCPeerConnection.prototype
  const wasMeasuring = isMeasuring()
  const { remove } = await openOverlay()
  expect(isMeasuring()).toBe(true)
  expect(RTCPeerConnection.prototype.getStats).not.toBe(getStats)
  remove()
  expect(box()).toBeNull()
  expect(vi.getTimerCount()).toBe(0)
  expect(isMeasuring()).toBe(wasMeasuring)
  expect(RTCPeerConnection.prototype.getStats).toBe(getStats)
})

test('in a call on a phone the overlay covers no button, takes no click and renders no component', async () => {
  await page.viewport(390, 844)
  await openStillCall()
  const { pass } = await openOverlay()
  await drawn()
  takeRuns()
  pass(SECOND_MS)
  await drawn()
  expect(takeRuns()).toEqual({})

  const overlay = box()
  if (!overlay) throw new Error('There is no overlay')
  expect(overlay.getAttribute('aria-hidden')).toBe('true')
  const own = overlay.getBoundingClientRect()
  expect(own.right).toBeLessThanOrEqual(390)
  expect(document.elementsFromPoint(own.left + own.width / 2, own.top + own.height / 2)).not.toContain(overlay)
  const buttons = page.getByRole('button').elements()
  expect(buttons.length).toBeGreaterThan(4)
  const covered = buttons.filter((button) => {
    const { left, right, top, bottom, width } = button.getBoundingClientRect()
    return width > 0 && left < own.right && right > own.left && top < own.bottom && bottom > own.top
  })
  expect(covered.map((button) => button.getAttribute('aria-label') ?? button.textContent)).toEqual([])
})
