import { HttpTransportType, HubConnectionBuilder, LogLevel } from '@microsoft/signalr'

/** Builds the official client. The caller stops it. */
export function officialBuilder(address: string, accessTokenFactory: () => string | Promise<string>) {
  return new HubConnectionBuilder()
    .withUrl(address, { accessTokenFactory, transport: HttpTransportType.WebSockets })
    .withAutomaticReconnect(Array.from({ length: 100 }, () => 50))
    .configureLogging(LogLevel.None)
}
