import { expect, test, vi } from 'vitest'
import { onPageWake } from '../../../src/platform/io/page-wakes.ts'

test('the listener runs when the network returns and when the page becomes visible, not when it is hidden', () => {
  const woke = vi.fn()
  const stop = onPageWake(woke)
  window.dispatchEvent(new Event('online'))
  expect(woke).toHaveBeenCalledTimes(1)
  document.dispatchEvent(new Event('visibilitychange'))
  expect(woke).toHaveBeenCalledTimes(2)
  const visible = vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden')
  document.dispatchEvent(new Event('visibilitychange'))
  expect(woke).toHaveBeenCalledTimes(2)
  visible.mockRestore()
  stop()
  window.dispatchEvent(new Event('online'))
  document.dispatchEvent(new Event('visibilitychange'))
  expect(woke).toHaveBeenCalledTimes(2)
})
