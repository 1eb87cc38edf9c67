import { HttpTransportType, HubConnectionBuilder, LogLevel } from '@microsoft/signalr'
import { onTestFinished } from 'vitest'
import type { HubRates } from '../../server/hub/dispatch.ts'
import { fakeClock } from './fake-clock.ts'
import { RawClient } from './hub-client.ts'
import { hubWorld, startHub, startHubWorld, tokenOf } from './hub-fakes.ts'

/** A hub for this test alone. */
export async function hubForTest() {
  const world = await startHubWorld()
  onTestFinished(world.stop)
  const connect = (account: string) => RawClient.connect(world.url, account)
  /** Breaks a client's network, and waits until the server knows. */
  async function cut(client: RawClient): Promise<void> {
    await client.cut()
    await world.gone(client.id)
  }
  return { ...world, connect, cut }
}

/** A hub with limits of its own. */
export async function hubWithRates(rates: HubRates) {
  const world = hubWorld(fakeClock())
  const server = await startHub({ ...world.deps, rates })
  onTestFinished(server.stop)
  return { ...world, ...server }
}

/** The official client, not started. */
export function officialClient(url: string, account: string) {
  const query = `userSessionId=session-${account}&email=${account}%40example.org`
  return officialClientWith(`${url}?${query}`, () => tokenOf(account))
}

/** The official client with a token of one's own. */
export function officialClientWith(address: string, accessTokenFactory: () => string | Promise<string>) {
  const connection = new HubConnectionBuilder()
    .withUrl(address, { accessTokenFactory, transport: HttpTransportType.WebSockets })
    .withAutomaticReconnect(Array.from({ length: 100 }, () => 50))
    .configureLogging(LogLevel.None)
    .build()
  onTestFinished(() => connection.stop())
  return connection
}
