import { expect, test, vi } from 'vitest'
import { followListeners } from '../../../src/tools/recorder/alive.ts'

function counted() {
  const target = new EventTarget()
  const early = () => {}
  target.addEventListener('resize', early)
  const left = followListeners({ target, other: new EventTarget() })
  return { target, early, count: () => left().length }
}

test('a listener counts until it is removed, and one from before never does', () => {
  const { target, early, count } = counted()
  const hear = vi.fn()
  expect(count()).toBe(0)
  target.addEventListener('resize', hear)
  target.addEventListener('scroll', hear)
  expect(count()).toBe(2)
  target.dispatchEvent(new Event('resize'))
  expect(hear).toHaveBeenCalledOnce()
  target.removeEventListener('resize', early)
  expect(count()).toBe(2)
  target.removeEventListener('resize', hear)
  expect(count()).toBe(1)
  target.dispatchEvent(new Event('resize'))
  expect(hear).toHaveBeenCalledOnce()
})

test('a duplicate counts once, and the two phases of one listener are two', () => {
  const { target, count } = counted()
  const hear = () => {}
  for (const capture of [false, true]) {
    target.addEventListener('click', hear, capture)
    target.addEventListener('click', hear, { capture })
  }
  expect(count()).toBe(2)
  target.removeEventListener('click', hear, { capture: true })
  target.removeEventListener('click', hear, true)
  expect(count()).toBe(1)
})

test('a listener for one event counts until that event, also if it stops the event', () => {
  const { target, count } = counted()
  const hear = vi.fn((event: Event) => event.stopImmediatePropagation())
  target.addEventListener('click', hear, { once: true })
  expect(count()).toBe(1)
  target.dispatchEvent(new Event('click'))
  target.dispatchEvent(new Event('click'))
  expect([count(), hear.mock.calls.length]).toEqual([0, 1])
})

test('a listener for one event that is removed and added again for all events counts on after the next', () => {
  const { target, count } = counted()
  const hear = () => {}
  target.addEventListener('click', hear, { once: true })
  target.removeEventListener('click', hear)
  target.addEventListener('click', hear)
  target.dispatchEvent(new Event('click'))
  expect(count()).toBe(1)
})

test('an aborted signal ends the count, and with a signal that is aborted already nothing is added', () => {
  const { target, count } = counted()
  const [controller, hear] = [new AbortController(), vi.fn()]
  const { signal } = controller
  target.addEventListener('click', hear, { signal })
  target.addEventListener('scroll', hear, { signal })
  expect(count()).toBe(2)
  target.addEventListener('resize', hear)
  target.removeEventListener('scroll', hear)
  expect(count()).toBe(2)
  controller.abort()
  expect(count()).toBe(1)
  target.addEventListener('click', hear, { signal })
  target.addEventListener('click', null)
  target.dispatchEvent(new Event('click'))
  expect([count(), hear.mock.calls.length]).toEqual([1, 0])
})
