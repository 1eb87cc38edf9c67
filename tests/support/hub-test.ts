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
  const address = `${url}?userSessionId=session-${account}&email=${account}%40example.org`
  const connection = new HubConnectionBuilder()
    .withUrl(address, { accessTokenFactory: () => tokenOf(account), transport: HttpTransportType.WebSockets })
    .withAutomaticReconnect([0, 50, 50, 50])
    .configureLogging(LogLevel.None)
    .build()
  onTestFinished(() => connection.stop())
  return connection
}
