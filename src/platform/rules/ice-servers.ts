import { PUBLIC_STUN_URLS } from '#protocol/constants.ts'
import { AppError, type ErrorCode } from '#protocol/errors.ts'
import type { EndpointOutput } from '#protocol/rest.ts'

export type IceServers = { urls: string[]; username?: string; credential?: string }[]

/** The ICE servers if `GET turn` fails: public STUN servers, no relay. */
export const PUBLIC_SERVERS: IceServers = [{ urls: PUBLIC_STUN_URLS }]

const turnUrl = /^turns?:\S+$/

/**
 * Converts the response of `GET turn`.
 * @throws AppError `invalid-response` for servers that RTCPeerConnection would reject.
 */
export function iceServersFrom({
  turnUrl: list,
  username,
  credential,
  stunUrl,
}: EndpointOutput<'readTurn'>): IceServers {
  const stun = stunUrl === '' ? [] : [{ urls: [stunUrl] }]
  if (list === '') return stun
  const urls = list.split(',')
  if (!urls.every((url) => turnUrl.test(url)) || username === '' || credential === '')
    throw new AppError('invalid-response', 'The TURN servers lack an address or a credential')
  return [...stun, { urls, username, credential }]
}

export function relaysOf(servers: IceServers): IceServers {
  return servers.filter(({ username }) => username !== undefined)
}

/** Returns the log message for a failed `GET turn`. */
export function turnFaultText(code: ErrorCode): string {
  return texts[code] ?? `TURN server request was refused: ${code}`
}

const texts: Partial<Record<ErrorCode, string>> = {
  timeout: 'TURN server request timed out',
  'network-error': 'TURN server request failed in the network',
  'server-unreachable': 'TURN server is unreachable',
  'http-error': 'TURN server request failed with an HTTP error',
  'invalid-response': 'Invalid response from TURN server',
  unknown: 'Unknown error while requesting the TURN server',
}
