import { beforeAll, expect, it, vi } from 'vitest'

const ADDRESS = 'https://example.org/api/start/get'
const OTHER = 'https://example.org/api/session/get'
let createEarlyFetch: typeof import('../../../workers/network/early-request.ts').createEarlyFetch

beforeAll(async () => {
  vi.stubGlobal('self', { name: 'network', location: { origin: 'https://example.org' } })
  const module = await import('../../../workers/network/early-request.ts')
  createEarlyFetch = module.createEarlyFetch
  expect(module.earlyFetch).toBeUndefined()
  vi.unstubAllGlobals()
})

/** Answers each request with its number. */
function numbered() {
  let count = 0
  return vi.fn<typeof fetch>(async () => {
    count += 1
    return new Response(String(count))
  })
}

it('sends the request at once, as the client would, and gives its answer to the first that asks for it', async () => {
  const send = numbered()
  const early = createEarlyFetch(send, ADDRESS)
  expect(send.mock.calls).toEqual([
    [ADDRESS, { credentials: 'include', headers: { 'X-Requested-With': 'XMLHttpRequest' } }],
  ])
  expect(await (await early(OTHER)).text()).toBe('2')
  expect(await (await early(new Request(ADDRESS))).text()).toBe('1')
  expect(await (await early(new URL(ADDRESS))).text()).toBe('3')
})

it('that fails is told to whoever takes its answer, and the next attempt is a new request', async () => {
  const send = numbered()
  send.mockRejectedValueOnce(new TypeError('Failed to fetch'))
  const early = createEarlyFetch(send, ADDRESS)
  await expect(early(ADDRESS)).rejects.toThrow('Failed to fetch')
  expect(await (await early(ADDRESS)).text()).toBe('1')
})
