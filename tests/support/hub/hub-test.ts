import { onTestFinished } from 'vitest'
import type { HubRates } from '../../../server/hub/rate-limits.ts'
import type { Clock } from '../../../server/platform/rules/clock.ts'
import { fakeClock } from '../fake-clock.ts'
import { movableClock } from '../movable-clock.ts'
import { RawClient } from './hub-client.ts'
import { hubWorld, startHub, startHubWorld, tokenOf, UNHURRIED_MS, unlimitedRates } from './hub-fakes.ts'
import { buildOfficialClient } from './official-client.ts'

/** A hub for this test alone. */
export async function hubForTest() {
  const world = await startHubWorld()
  onTestFinished(world.stop)
  const connect = (account: string, query = '') => RawClient.connect(world.url, account, query)
  const connectStateful = (account: string, query = '') => RawClient.connectStateful(world.url, account, query)
  /** Terminates a client's socket, and waits until the server has noticed it. */
  async function cut(client: RawClient): Promise<void> {
    await client.cut()
    await world.disconnected(client.id)
  }
  return { ...world, connect, connectStateful, cut }
}

/** A hub with these rate limits and no others. */
export async function hubWithRates(rates: Partial<HubRates> = {}) {
  const clock = fakeClock()
  return { clock, ...(await limited(clock, rates)) }
}

/** A hub without limits whose timers run in real time. */
export function hubInRealTime() {
  return limited(movableClock(), {}, true)
}

async function limited(clock: Clock, rates: Partial<HubRates>, isRealTime = false) {
  const world = hubWorld(clock)
  const server = await startHub({
    ...world.deps,
    ...(isRealTime && { matchTimeoutMs: UNHURRIED_MS }),
    rates: { ...unlimitedRates, ...rates },
  })
  onTestFinished(server.stop)
  return { ...world, ...server }
}

/** The official client, not started. */
export function officialClient(url: string, account: string) {
  const query = `userSessionId=session-${account}&email=${account}%40example.org`
  return officialClientWith(`${url}?${query}`, () => tokenOf(account))
}

/** The official client with stateful reconnect, not started. */
export function statefulClient(url: string, account: string) {
  const connection = buildOfficialClient(url, () => tokenOf(account), { isStateful: true })
  onTestFinished(() => connection.stop())
  return connection
}

/** The official client with the caller's token, not started. */
export function officialClientWith(address: string, accessTokenFactory: () => string | Promise<string>) {
  const connection = buildOfficialClient(address, accessTokenFactory)
  onTestFinished(() => connection.stop())
  return connection
}
