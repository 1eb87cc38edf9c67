import { HttpTransportType, type HubConnection, HubConnectionBuilder, LogLevel } from '@microsoft/signalr'

const RECONNECT_DELAYS_MS = Array.from({ length: 100 }, () => 50)

type Options = {
  isStateful?: boolean
  /** Null: the client does not reconnect. */
  reconnectDelaysMs?: number[] | null
}

/** Returns the official client, not started. The caller stops it. */
export function buildOfficialClient(
  address: string,
  accessTokenFactory: () => string | Promise<string>,
  { isStateful = false, reconnectDelaysMs = RECONNECT_DELAYS_MS }: Options = {},
): HubConnection {
  const builder = new HubConnectionBuilder()
    .withUrl(address, { accessTokenFactory, transport: HttpTransportType.WebSockets })
    .configureLogging(LogLevel.None)
  if (reconnectDelaysMs) builder.withAutomaticReconnect(reconnectDelaysMs)
  if (isStateful) builder.withStatefulReconnect()
  return builder.build()
}
