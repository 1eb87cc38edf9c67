import { expect, test } from 'vitest'
import { followListeners } from '../../../src/tools/recorder/alive.ts'

// Here and not with the other tests of this module: Node removes the listeners of an aborted signal in another way than browsers.
test('a listener whose signal is aborted counts no more, unless it was added anew', () => {
  const target = new EventTarget()
  const left = followListeners({ target })
  const count = () => left().length
  const hear = () => {}
  const first = new AbortController()
  for (const type of ['click', 'scroll']) target.addEventListener(type, hear, { signal: first.signal })
  target.removeEventListener('scroll', hear)
  target.addEventListener('scroll', hear)
  expect(count()).toBe(2)
  first.abort()
  expect(count()).toBe(1)
})
