import { afterEach, expect, test, vi } from 'vitest'
import { createPageState } from '../../../src/platform/io/page-state.ts'

afterEach(() => vi.restoreAllMocks())

function show(state: DocumentVisibilityState): void {
  vi.spyOn(document, 'visibilityState', 'get').mockReturnValue(state)
  document.dispatchEvent(new Event('visibilitychange'))
}

test('time in long tasks is counted, and taken once', async () => {
  const page = createPageState()
  setTimeout(() => {
    const end = performance.now() + 120
    while (performance.now() < end);
  })
  let taken = 0
  await expect
    .poll(() => {
      taken += page.takeLongTaskMs()
      return taken
    })
    .toBeGreaterThan(50)
  expect(page.takeLongTaskMs()).toBe(0)
})

test('visibility is reported, and every change of it', () => {
  const page = createPageState()
  const seen: boolean[] = []
  page.onVisibility(() => void seen.push(!page.hidden()))
  show('hidden')
  show('visible')
  expect(seen).toEqual([false, true])
})

test('a browser that does not report long tasks has none', () => {
  vi.spyOn(PerformanceObserver, 'supportedEntryTypes', 'get').mockReturnValue(['mark'])
  expect(createPageState().takeLongTaskMs()).toBe(0)
})
