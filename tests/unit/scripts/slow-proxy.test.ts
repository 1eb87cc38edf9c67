import { once } from 'node:events'
import { createServer, type IncomingMessage, request, type Server } from 'node:http'
import { connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { PACKET_BYTES } from '../../bench/start/slow-link.ts'
import { type SlowProxy, startSlowProxy } from '../../bench/start/slow-proxy.ts'

/** A full packet takes 100 ms in either direction. */
const speed = { kbitPerSecond: (PACKET_BYTES * 8) / 100, delayMs: 500 }
const SLOW = { up: speed, down: speed }
const PACKETS = 10

let target: Server
let proxy: SlowProxy

beforeEach(async () => {
  // The time of the link alone: the sockets are real.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
  target = createServer(async (from, to) => {
    const body = await text(from)
    const { method, url, headers } = from
    if (url === '/gone') to.destroy()
    else if (url === '/large') to.end('x'.repeat(PACKETS * PACKET_BYTES))
    else to.writeHead(201, { 'x-seen': `${method} ${url} ${headers['x-own']}` }).end(body)
  })
  target.on('upgrade', (_from, socket, first) => {
    socket.on('error', () => {})
    socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\n')
    socket.write(first)
    socket.pipe(socket)
  })
  target.listen(0, '127.0.0.1')
  await once(target, 'listening')
  proxy = await startSlowProxy()
  proxy.forwardTo(portOf(target))
})

afterEach(async () => {
  vi.useRealTimers()
  await proxy.close()
  target.closeAllConnections()
  target.close()
  await once(target, 'close')
})

function portOf(server: Server): number {
  const address = server.address()
  return typeof address === 'object' && address ? address.port : 0
}

async function ask(path: string, { body = '', headers = {}, method = 'GET' } = {}) {
  const sent = request(`${proxy.origin}${path}`, { method, headers, agent: false })
  sent.end(body)
  const [response] = (await once(sent, 'response')) as [IncomingMessage]
  return { response, body: await text(response) }
}

async function readUntil(socket: Socket, end: string): Promise<string> {
  let received = ''
  while (!received.endsWith(end)) {
    const [chunk] = await once(socket, 'data')
    received += chunk
  }
  return received
}

const turn = () => new Promise((resolve) => setImmediate(resolve))

/** Moves the link's time until `work` is done. */
async function moveTimeUntil<T>(work: Promise<T>): Promise<T> {
  let isDone = false
  const done = work.finally(() => {
    isDone = true
  })
  while (!isDone) {
    await turn()
    vi.advanceTimersByTime(1)
  }
  return done
}

describe('without limits', () => {
  test('method, path, headers, body and status pass unchanged, and no time passes', async () => {
    const { response, body } = await ask('/echo?a=1', {
      method: 'POST',
      body: 'ping',
      headers: { 'x-own': 'mine', 'content-length': 4 },
    })
    expect([response.statusCode, response.headers['x-seen'], body]).toEqual([201, 'POST /echo?a=1 mine', 'ping'])
    expect(vi.getTimerCount()).toBe(0)
  })

  test('requests are noted with their referrer and bytes, until they are taken', async () => {
    await ask('/large', { headers: { referer: 'http://page.example/' } })
    const [noted, ...others] = proxy.takeRequests()
    expect(others).toEqual([])
    expect(noted).toMatchObject({ path: '/large', referrer: 'http://page.example/' })
    expect(noted?.bytes).toBeGreaterThan(PACKETS * PACKET_BYTES)
    expect(noted?.endedAt).toBe(noted?.startedAt)
    expect(proxy.takeRequests()).toEqual([])
  })

  test('a request without a response is closed, and stays without an end', async () => {
    await expect(ask('/gone')).rejects.toMatchObject({ code: 'ECONNRESET' })
    expect(proxy.takeRequests()).toMatchObject([{ path: '/gone', endedAt: Number.NaN }])
  })

  test('a target that does not listen closes the connection', async () => {
    proxy.forwardTo(1)
    await expect(ask('/echo')).rejects.toMatchObject({ code: 'ECONNRESET' })
  })

  test('a WebSocket passes in both directions', async () => {
    const socket = connect(Number(new URL(proxy.origin).port), '127.0.0.1')
    socket.write('GET /hub HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\nhello')
    const received = await readUntil(socket, 'hello')
    socket.write(' and bye')
    await readUntil(socket, ' and bye')
    socket.end()
    await once(socket, 'close')
    expect(received).toContain('101 Switching Protocols')
    expect(proxy.takeRequests()).toMatchObject([{ path: '/hub' }])
  })
})

describe('on a slow link', () => {
  test('a response takes the delay of both directions and the time of its packets', async () => {
    proxy.setNetwork(SLOW)
    await moveTimeUntil(ask('/large'))
    const [noted] = proxy.takeRequests()
    const tookMs = (noted?.endedAt ?? 0) - (noted?.startedAt ?? 0)
    expect(tookMs).toBeGreaterThanOrEqual(2 * speed.delayMs + PACKETS * 100)
  })

  test('two connections share the rate', async () => {
    proxy.setNetwork(SLOW)
    await moveTimeUntil(Promise.all([ask('/large'), ask('/large')]))
    const noted = proxy.takeRequests()
    const first = Math.min(...noted.map(({ startedAt }) => startedAt))
    const last = Math.max(...noted.map(({ endedAt }) => endedAt))
    expect(last - first).toBeGreaterThanOrEqual(2 * speed.delayMs + 2 * PACKETS * 100)
  })

  test('nothing passes while no time does, and without limits again none is needed', async () => {
    proxy.setNetwork(SLOW)
    const held = ask('/echo')
    let isThere = false
    void held.then(() => {
      isThere = true
    })
    while (vi.getTimerCount() === 0) await turn()
    expect(isThere).toBe(false)
    await moveTimeUntil(held)
    proxy.setNetwork(null)
    proxy.takeRequests()
    await ask('/large')
    const [noted] = proxy.takeRequests()
    expect(noted?.endedAt).toBe(noted?.startedAt)
  })
})
