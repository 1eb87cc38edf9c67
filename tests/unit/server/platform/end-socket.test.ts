import { once } from 'node:events'
import { duplexPair } from 'node:stream'
import { text } from 'node:stream/consumers'
import { afterEach, expect, test, vi } from 'vitest'
import { CLOSE_GRACE_MS, endSocket } from '../../../../server/platform/http/end-socket.ts'

afterEach(() => vi.useRealTimers())

test('a socket is closed at once when the client closes its side too, and no timer is left', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const [socket, client] = duplexPair()
  endSocket(socket, 'good-bye')
  expect(await text(client)).toBe('good-bye')
  client.end()
  await once(socket, 'close')
  expect(vi.getTimerCount()).toBe(0)
})

test('a client that keeps sending is disconnected after the grace period', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const [socket, client] = duplexPair()
  client.on('error', () => undefined)
  endSocket(socket, 'good-bye')
  expect(await text(client)).toBe('good-bye')
  client.write('more')
  vi.advanceTimersByTime(CLOSE_GRACE_MS - 1)
  expect(socket.destroyed).toBe(false)
  vi.advanceTimersByTime(1)
  expect(socket.destroyed).toBe(true)
})

test('a client that does not read the response is disconnected too', () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const [socket] = duplexPair()
  endSocket(socket, 'x'.repeat(1024 * 1024), 10)
  vi.advanceTimersByTime(10)
  expect(socket.destroyed).toBe(true)
})
