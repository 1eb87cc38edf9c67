import { describe, expect, it } from 'vitest'
import type { ProxiedRequest } from '../../bench/start/slow-proxy.ts'
import {
  apiRequestsBefore,
  joinRequests,
  longestChain,
  type PageEntry,
  type RequestKind,
  type StartRequest,
  waterfallText,
} from '../../bench/start/waterfall.ts'

const ORIGIN = 'http://localhost:1234'
const NAVIGATED_AT = 1_000_000

function request(path: string, kind: RequestKind, [start, end]: [number, number], more: Partial<StartRequest> = {}) {
  return { path, kind, start, end, usableAt: end, bytes: 1_000, causes: [], ...more }
}

const pathsOf = (requests: StartRequest[]) => requests.map(({ path }) => path)

function proxied(path: string, [start, end]: [number, number], referrer = '/'): ProxiedRequest {
  const [startedAt, endedAt] = [NAVIGATED_AT + start, NAVIGATED_AT + end]
  return { path, referrer: `${ORIGIN}${referrer}`, startedAt, endedAt, bytes: 500 }
}

describe('the longest chain', () => {
  it('counts requests that begin after the end of another, over the network by their times alone', () => {
    const requests = [
      request('/', 'page', [0, 200]),
      request('/a.js', 'script', [210, 500]),
      request('/b.js', 'script', [210, 450]),
      request('/c.js', 'script', [460, 700]),
    ]
    expect(pathsOf(longestChain(requests, 1_000))).toEqual(['/', '/b.js', '/c.js'])
  })

  it('lets a page be followed while its rest arrives', () => {
    const requests = [request('/', 'page', [0, 300], { usableAt: 200 }), request('/a.js', 'script', [250, 500])]
    expect(longestChain(requests, 1_000)).toHaveLength(2)
  })

  it('leaves out pictures, what the service worker loads, and what ends after the button', () => {
    const requests = [
      request('/', 'page', [0, 200]),
      request('/face.webp', 'other', [210, 300]),
      request('/precached.js', 'ahead', [310, 400]),
      request('/late.js', 'script', [410, 600]),
    ]
    expect(pathsOf(longestChain(requests, 500))).toEqual(['/'])
  })

  it('follows an answer of a cache only by initiator, and an API answer always', () => {
    const cached = { bytes: 0 }
    const requests = [
      request('/', 'page', [0, 5], cached),
      request('/a.js', 'script', [10, 15], { ...cached, causes: ['/'] }),
      request('/b.js', 'script', [20, 25], { ...cached, causes: ['/'] }),
      request('/api/one', 'api', [30, 200], { causes: ['/a.js'] }),
      request('/c.js', 'script', [210, 215], { ...cached, causes: ['/a.js'] }),
    ]
    expect(pathsOf(longestChain(requests, 1_000))).toEqual(['/', '/a.js', '/api/one', '/c.js'])
  })
})

describe('the requests of a start', () => {
  const entries: PageEntry[] = [
    { path: '/', type: 'navigation', start: 0, firstByte: 100, end: 150 },
    { path: '/main.js', type: 'script', start: 120, firstByte: 200, end: 400 },
    { path: '/late.js', type: 'other', start: 450, firstByte: 451, end: 452 },
    { path: '/network.worker-1.js', type: 'other', start: 700, firstByte: 600, end: 600 },
  ]
  const initiators = new Map([
    ['/main.js', ['/']],
    ['/late.js', []],
    ['/network.worker-1.js', ['/']],
  ])
  const seen = [
    proxied('/', [1, 149]),
    proxied('/main.js', [121, 399]),
    proxied('/network.worker-1.js', [410, 600]),
    proxied('/api/users/online/get', [610, 800], '/network.worker-1.js'),
    proxied('/service-worker.js', [620, 700]),
    proxied('/late.js', [710, 750], '/service-worker.js'),
  ]
  const requests = joinRequests(entries, seen, initiators, NAVIGATED_AT)
  const named = (path: string) => requests.find((one) => one.path === path)

  it('are those of the page and those that only the proxy saw, each once', () => {
    expect(requests.map(({ path, kind }) => `${kind} ${path}`)).toEqual([
      'page /',
      'script /main.js',
      'script /network.worker-1.js',
      'script /late.js',
      'api /api/users/online/get',
      'ahead /service-worker.js',
      'ahead /late.js',
    ])
  })

  it('can be followed after their end, a page after its first byte', () => {
    expect([named('/')?.usableAt, named('/main.js')?.usableAt]).toEqual([100, 400])
  })

  it('have the bytes of the network, and none from a cache', () => {
    expect([named('/main.js')?.bytes, named('/late.js')?.bytes]).toEqual([500, 0])
  })

  it('start when the proxy saw them, where the browser says that they start after their end', () => {
    expect(named('/network.worker-1.js')).toMatchObject({ start: 410, end: 600 })
  })

  it('are caused by what the page names, where the initiator is not known', () => {
    expect(named('/late.js')?.causes).toEqual(['/main.js'])
    expect(named('/network.worker-1.js')?.causes).toEqual(['/main.js'])
    expect(named('/api/users/online/get')?.causes).toEqual(['/network.worker-1.js'])
  })

  it('of a worker are caused by the page, where a script inside it starts the worker', () => {
    const inPage = entries.map((entry) => ({ ...entry, inPage: entry.path.includes('.worker-') }))
    const worker = joinRequests(inPage, seen, initiators, NAVIGATED_AT).find(({ path }) => path.includes('.worker-'))
    expect(worker?.causes).toEqual(['/'])
  })

  it('have no bytes of a later request for the same path', () => {
    const refreshed = [proxied('/', [500, 600]), ...seen.slice(1)]
    const page = joinRequests(entries, refreshed, initiators, NAVIGATED_AT).find(({ kind }) => kind === 'page')
    expect(page?.bytes).toBe(0)
  })

  it('contain the API requests that begin before the button', () => {
    expect(pathsOf(apiRequestsBefore(requests, 900))).toEqual(['/api/users/online/get'])
    expect(apiRequestsBefore(requests, 605)).toEqual([])
  })

  it('are a line each, up to a time', () => {
    const lines = waterfallText(requests, longestChain(requests, 900), 500)
    expect(lines).toHaveLength(1 + 4)
    expect(lines[1]).toMatch(/^ +0 +150 +500 {2}\* page {3}\/$/)
    expect(lines[4]).toMatch(/cache {4}script \/late\.js$/)
  })
})
