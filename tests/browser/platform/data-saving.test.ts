import { afterEach, expect, test, vi } from 'vitest'
import { wantsLessData } from '../../../src/platform/io/data-saving.ts'

const real = Object.getOwnPropertyDescriptor(Navigator.prototype, 'connection')
afterEach(() => {
  vi.restoreAllMocks()
  if (real) Object.defineProperty(Navigator.prototype, 'connection', real)
})

function connection(value: unknown): void {
  Object.defineProperty(Navigator.prototype, 'connection', { configurable: true, get: () => value })
}

/** A system that reduces data, or not. */
function system(reduces: boolean): void {
  vi.spyOn(globalThis, 'matchMedia').mockImplementation(
    (query) => ({ matches: reduces && query === '(prefers-reduced-data: reduce)' }) as MediaQueryList,
  )
}

test.each([
  ['nothing is asked for', { saveData: false }, false, false],
  ['the browser asks', { saveData: true }, false, true],
  ['the system asks', { saveData: false }, true, true],
  ['a browser knows no connection', undefined, false, false],
  ['a browser knows no connection, and the system asks', undefined, true, true],
  ['a connection says nothing of data', {}, false, false],
])('%s', (_name, known, reduces, wanted) => {
  connection(known)
  system(reduces)
  expect(wantsLessData()).toBe(wanted)
})

test('a browser that knows neither asks for nothing', () => {
  connection(undefined)
  expect(wantsLessData()).toBe(false)
})
