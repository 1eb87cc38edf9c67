import { createServer } from 'node:http'
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { freePort } from '../../../../scripts/free-port.ts'
import { createHubClient } from '../../../../src/call/hub/hub-client.ts'
import { createHubSites } from '../../../../src/call/hub/hub-sites.ts'
import { fakeClock } from '../../../support/fake-clock.ts'
import { startFakeHub } from '../../../support/fakes/fake-hub.ts'
import { startTcpProxy } from '../../../support/servers/tcp-proxy.ts'
import { waitFor } from '../../../support/wait-for.ts'

const log = { info: () => {}, error: () => {} }
const siteOf = (origin: string, index: number) => ({ region: `region${index}`, origin })

/** Starts a site whose health endpoint returns this status. */
async function startSite(status: number): Promise<string> {
  const server = createServer((_request, response) => void response.writeHead(status).end())
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  const address = server.address()
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`
}

describe('the distance of regions', () => {
  test('is measured by `measure`', async () => {
    const ms: Record<string, number> = { far: 90, near: 20, middle: 50 }
    const roundTrip = async (origin: string) => ms[origin] ?? 0
    const sites = createHubSites(['far', 'near', 'middle'].map(siteOf), { clock: fakeClock(), log, roundTrip })
    expect(sites.order()).toEqual(['far', 'near', 'middle'])
    await sites.measure()
    expect(sites.order()).toEqual(['near', 'middle', 'far'])
  })

  test('is measured at the hubs themselves; sites that do not respond or return an error come last', async () => {
    const [broken, there] = [await startSite(503), await startSite(200)]
    const absent = `http://127.0.0.1:${await freePort()}`
    const sites = createHubSites([absent, broken, there].map(siteOf), { clock: fakeClock(), log })
    await sites.measure()
    expect(sites.order()).toEqual([there, absent, broken])
  })

  test('is not measured again within a minute, unless one has failed; that one comes last meanwhile', async () => {
    const roundTrip = vi.fn(async (origin: string) => (origin === 'near' ? 20 : 90))
    const clock = fakeClock()
    const sites = createHubSites(['far', 'near'].map(siteOf), { clock, log, roundTrip })
    await sites.measure()
    await sites.measure()
    expect(roundTrip).toHaveBeenCalledTimes(2)
    sites.failed('near')
    expect(sites.order()).toEqual(['far', 'near'])
    await sites.measure()
    expect(sites.order()).toEqual(['near', 'far'])
    clock.advance(60_000)
    await sites.measure()
    expect(roundTrip).toHaveBeenCalledTimes(6)
  })

  test('is not measured where there is one hub, or the page’s own', async () => {
    const roundTrip = vi.fn(async () => 1)
    const sitesOf = (...origins: string[]) =>
      createHubSites(origins.map(siteOf), { clock: fakeClock(), log, roundTrip })
    await sitesOf().measure()
    await sitesOf('only').measure()
    expect(roundTrip).not.toHaveBeenCalled()
    expect(sitesOf().order()).toEqual([''])
  })
})

describe('hubs of two regions', () => {
  const login = { userSessionId: 's1', token: async () => 'the token' }
  let hubs: Awaited<ReturnType<typeof startFakeHub>>[]
  let proxies: Awaited<ReturnType<typeof startTcpProxy>>[]
  let clock: ReturnType<typeof fakeClock>
  let states: string[]
  let failed: string[]
  let ends: number
  let client: ReturnType<typeof createHubClient>
  const origins = () => proxies.map(({ port }) => `http://127.0.0.1:${port}`)
  const counts = () => hubs.map((hub) => hub.connections.length)

  beforeEach(async () => {
    hubs = await Promise.all([startFakeHub(), startFakeHub()])
    proxies = await Promise.all(hubs.map(({ port }) => startTcpProxy(port)))
    clock = fakeClock()
    states = []
    failed = []
    ends = 0
    client = createHubClient({
      sites: { order: origins, failed: (origin) => void failed.push(origin) },
      log: {
        info: (message) => {
          if (message.startsWith('The hub connection ended')) ends += 1
        },
        error: () => {},
      },
      clock,
      onWake: () => () => {},
    })
    client.onState((state) => void states.push(state))
  })
  afterEach(async () => {
    await client.stop()
    for (const end of [...proxies, ...hubs]) await end.close()
  })

  /** Waits until this many connections and attempts have ended, then lets this much time pass. */
  async function afterEnds(count: number, ms: number): Promise<void> {
    await waitFor(() => expect(ends).toBe(count))
    clock.advance(ms)
  }

  test('the first is connected to, and the other one is not', async () => {
    await client.start(login)
    expect(counts()).toEqual([1, 0])
    expect(failed).toEqual([])
  })

  test('the second is connected to where the first cannot be reached', async () => {
    hubs[0]?.refuse()
    await client.start(login)
    expect(counts()).toEqual([0, 1])
    expect(failed).toEqual(origins().slice(0, 1))
    expect(states).toEqual(['connecting', 'connected'])
  })

  test('without either the start fails', async () => {
    for (const hub of hubs) hub.refuse()
    await expect(client.start(login)).rejects.toMatchObject({ code: 'hub-unavailable' })
    expect(failed).toEqual([...origins(), ...origins()])
  })

  test('one that breaks and comes back keeps its users', async () => {
    await client.start(login)
    const accept = hubs[0]?.refuse()
    proxies[0]?.cut()
    await afterEnds(1, 0)
    await afterEnds(2, 2_000)
    await waitFor(() => expect(ends).toBe(3))
    accept?.()
    clock.advance(10_000)
    await waitFor(() => expect(states.at(-1)).toBe('connected'))
    expect(counts()).toEqual([2, 0])
    expect(failed).toEqual([])
  })

  test('one that breaks and does not come back is left for the next', async () => {
    await client.start(login)
    hubs[0]?.refuse()
    proxies[0]?.cut()
    await afterEnds(1, 0)
    await afterEnds(2, 2_000)
    await afterEnds(3, 10_000)
    await waitFor(() => expect(states.at(-1)).toBe('connected'))
    expect(counts()).toEqual([1, 1])
    expect(failed).toEqual(origins().slice(0, 1))
    // Negotiated once, and tried three times more.
    expect(hubs[0]?.negotiated).toHaveLength(4)
    expect(states).toEqual(['connecting', 'connected', 'reconnecting', 'connected'])
  })
})
