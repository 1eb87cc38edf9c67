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

test('the overlay shows frames, waits of requests and the bitrate of the readings that the product makes', async () => {
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
  expect(shown().slice(2)).toEqual(['queue – ms, most – ms', '↑ – ↓ – kbit/s'])

  const connection = new RTCPeerConnection()
  await connection.getStats()
  await drawn()
  span('Workers', 'queue request #1', performance.now() - 40)
  span('Workers', 'queue encodeChat #2', performance.now() - 3)
  span('Workers', 'work request #1', performance.now() - 900)
  pass(SECOND_MS)
  await connection.getStats()
  pass(SECOND_MS)
  connection.close()
  expect(shown().slice(2)).toEqual(['queue 3 ms, most 40 ms', '↑ 1000 ↓ 2000 kbit/s'])

  await drawn()
  pass(SECOND_MS)
  expect(shown()[0]).toMatch(/^[1-9]\d* frames\/s$/)
  pass(5 * SECOND_MS)
  expect(shown()[3]).toBe('↑ – ↓ – kbit/s')
})

test('a long task is counted, where the browser reports them', async () => {
  const observed: PerformanceObserverCallback[] = []
  vi.stubGlobal(
    'PerformanceObserver',
    class {
      static supportedEntryTypes = ['longtask']
      constructor(callback: PerformanceObserverCallback) {
        observed.push(callback)
      }
      observe() {}
      disconnect() {}
    },
  )
  onTestFinished(() => void vi.unstubAllGlobals())
  const { pass } = await openOverlay()
  expect(shown()[1]).toBe('long tasks 0, last – ms')
  const entries = [60, 212].map((duration) => ({ duration }))
  for (const report of observed)
    report({ getEntries: () => entries } as unknown as PerformanceObserverEntryList, {} as PerformanceObserver)
  pass(SECOND_MS)
  expect(shown()[1]).toBe('long tasks 2, last 212 ms')
})

test('without reports of long tasks the overlay says so', async () => {
  vi.spyOn(PerformanceObserver, 'supportedEntryTypes', 'get').mockReturnValue([])
  await openOverlay()
  expect(shown()[1]).toBe('long tasks unknown, last – ms')
})

test('removed, the overlay leaves nothing that it started', async () => {
  const { getStats } = RTCPeerConnection.prototype
  const disconnected = vi.spyOn(PerformanceObserver.prototype, 'disconnect')
  const asked = vi.spyOn(window, 'requestAnimationFrame')
  const wasMeasuring = isMeasuring()
  const { remove } = await openOverlay()
  expect(isMeasuring()).toBe(true)
  expect(RTCPeerConnection.prototype.getStats).not.toBe(getStats)
  remove()
  expect(box()).toBeNull()
  expect(vi.getTimerCount()).toBe(0)
  expect(isMeasuring()).toBe(wasMeasuring)
  expect(RTCPeerConnection.prototype.getStats).toBe(getStats)
  if (PerformanceObserver.supportedEntryTypes.includes('longtask')) expect(disconnected).toHaveBeenCalledOnce()
  const before = asked.mock.calls.filter(([callback]) => callback.name === 'countDrawn').length
  await drawn()
  expect(asked.mock.calls.filter(([callback]) => callback.name === 'countDrawn')).toHaveLength(before)
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
