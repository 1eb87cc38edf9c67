import { expect, test } from 'vitest'
import { createTypingStore } from '../../../../src/call/state/chat.ts'
import { fakeClock } from '../../../support/fake-clock.ts'

function typingStore({ saves = false } = {}) {
  const clock = fakeClock(1_000_000)
  const told: number[] = []
  const store = createTypingStore({ clock, tell: () => void told.push(clock.now()), isSaving: () => saves })
  return { clock, told, ...store }
}

test('the peer is told at the first letter, and then at most once in three seconds', () => {
  const { clock, told, typed } = typingStore()
  typed()
  for (let letters = 0; letters < 100; letters += 1) {
    clock.advance(100)
    typed()
  }
  expect(told).toEqual([1_000_000, 1_003_000, 1_006_000, 1_009_000])
})

test('with the data saver the peer is not told', () => {
  const { told, typed } = typingStore({ saves: true })
  typed()
  expect(told).toEqual([])
})

test('the peer types for five seconds after the last event', () => {
  const { clock, isPeerTyping, peerTyped } = typingStore()
  expect(isPeerTyping.value).toBe(false)
  peerTyped()
  clock.advance(4_000)
  peerTyped()
  clock.advance(4_999)
  expect(isPeerTyping.value).toBe(true)
  clock.advance(1)
  expect(isPeerTyping.value).toBe(false)
  expect(clock.waiting()).toBe(0)
})

test('a message ends it at once and leaves no timer', () => {
  const { clock, isPeerTyping, peerTyped, forgetPeer } = typingStore()
  peerTyped()
  forgetPeer()
  expect([isPeerTyping.value, clock.waiting()]).toEqual([false, 0])
})
