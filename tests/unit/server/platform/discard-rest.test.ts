import { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import { expect, test } from 'vitest'
import { createDiscard } from '../../../../server/platform/http/discard-rest.ts'
import { fakeClock } from '../../../support/fake-clock.ts'

function unfinished(count: number): IncomingMessage[] {
  return Array.from({ length: count }, () => new IncomingMessage(new Socket()))
}

test('a few of many refused bodies are read to their end, the others are not read', () => {
  const clock = fakeClock()
  const discard = createDiscard(clock)
  const bodies = unfinished(100)
  for (const body of bodies) discard(body)
  const read = bodies.filter((body) => body.readableFlowing)
  expect(read.length).toBeGreaterThan(4)
  expect(read.length).toBeLessThan(20)
  // The others have a second to read the response.
  const others = bodies.filter((body) => !body.readableFlowing)
  expect(others.filter(({ socket }) => socket.destroyed)).toEqual([])
  clock.advance(1_000)
  expect(others.filter(({ socket }) => !socket.destroyed)).toEqual([])
  expect(read.filter(({ socket }) => socket.destroyed)).toEqual([])
})

test('small bodies are all read', () => {
  const discard = createDiscard(fakeClock())
  for (const body of unfinished(100)) {
    body.headers['content-length'] = '500000'
    discard(body)
    expect(body.readableFlowing).toBe(true)
  }
})

test('a body that has ended makes room for another one', () => {
  const discard = createDiscard(fakeClock())
  for (const body of unfinished(100)) {
    discard(body)
    expect(body.readableFlowing).toBe(true)
    body.emit('close')
  }
})
