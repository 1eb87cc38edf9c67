import { headOf, openRaw, portOf } from '../servers/raw-requests.ts'

/** Requests that the server refuses, by kind. */
export const refusedRequests = {
  'no HTTP': () => 'SSH-2.0-OpenSSH\r\n\r\n',
  'headers that are too large': () => `GET / HTTP/1.1\r\nHost: x\r\nX-A: ${'a'.repeat(17 * 1024)}\r\n\r\n`,
  'an upgrade without a login': (origin: string) =>
    headOf('GET', '/chathub', origin, { connection: 'Upgrade', upgrade: 'websocket' }),
  'an upgrade elsewhere': (origin: string) =>
    headOf('GET', '/elsewhere', origin, { connection: 'Upgrade', upgrade: 'websocket' }),
  'a body that never comes': (origin: string) =>
    headOf('POST', '/api/user/profile/add', origin, {
      'content-type': 'multipart/form-data; boundary=x',
      'content-length': 1_000_000,
    }),
} as const
export type RefusedRequest = keyof typeof refusedRequests

/** Opens `count` connections that are refused, reads each response, and closes none of them until `meanwhile` settles. */
export async function holdRefusedSockets<T>(
  origin: string,
  kind: RefusedRequest,
  count: number,
  meanwhile: (statuses: (number | null)[]) => Promise<T>,
): Promise<T> {
  const held = Array.from({ length: count }, () => openRaw(portOf(origin), refusedRequests[kind](origin)))
  try {
    return await meanwhile(await Promise.all(held.map(({ answered }) => answered)))
  } finally {
    for (const { socket } of held) socket.destroy()
  }
}
