import { type IncomingMessage, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import type { FastifyBaseLogger } from 'fastify'
import { type ServerOptions, type WebSocket, WebSocketServer } from 'ws'
import { HUB_PATH } from '#protocol/constants.ts'
import type { EndedLogins } from '../accounts/rules/ended-logins.ts'
import type { NetworkOfUser } from '../matching/rules/candidates.ts'
import { CLOSE_GRACE_MS, endSocket } from '../platform/http/end-socket.ts'
import { type AuthorisedUser, type ConnectionOwner, hubQuery } from './authorisation.ts'
import type { Connection } from './connection.ts'
import type { EntryDeps } from './negotiate.ts'

/** Bytes of one WebSocket frame, which may hold many messages. */
const FRAME_LIMIT = 64 * 1024
/** Fragments of one WebSocket message; browsers send one fragment. */
const FRAGMENTS_MAX = 64
/** Reads of the socket for one frame; a frame in the smallest packets of real networks takes about 120. */
const READS_OF_A_FRAME_MAX = 1_024

// The types of ws lack closeTimeout.
const socketOptions: ServerOptions & { closeTimeout: number } = {
  noServer: true,
  clientTracking: false,
  maxPayload: FRAME_LIMIT,
  maxFragments: FRAGMENTS_MAX,
  maxBufferedChunks: READS_OF_A_FRAME_MAX,
  // The socket reader of a connection sends pongs, within its traffic limit.
  autoPong: false,
  perMessageDeflate: false,
  closeTimeout: CLOSE_GRACE_MS,
}

type Options = EntryDeps & {
  refused: (request: IncomingMessage, status: number) => void
  mayConnect: (request: IncomingMessage) => boolean
  endedLogins: EndedLogins
  connected: (owner: ConnectionOwner, socket: WebSocket, network: NetworkOfUser, request: IncomingMessage) => Connection
  networkOf: (request: IncomingMessage) => NetworkOfUser
  log: FastifyBaseLogger
}

type Refuse = (status: number) => void
/** `isNew` is false for a connection that had a socket before. */
type Found = { take: (socket: WebSocket, network: NetworkOfUser) => void; isNew: boolean }

const RETRY_SECONDS = 5

function endWithStatus(socket: Duplex, status: number): void {
  const retryAfter = status === 503 ? `Retry-After: ${RETRY_SECONDS}\r\n` : ''
  endSocket(
    socket,
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${retryAfter}Connection: close\r\nContent-Length: 0\r\n\r\n`,
  )
}

/** Returns the handler of upgrade requests. Each request gets a WebSocket for the connection that `id` names, or a refusal. */
export function createUpgrade(options: Options) {
  const {
    authorise,
    tickets,
    connectionLimits,
    mayConnect,
    newId,
    now,
    isDraining,
    endedLogins,
    connected,
    networkOf,
    refused,
    log,
  } = options

  const server = new WebSocketServer(socketOptions)

  /** Resolves with the connection that takes the socket, or with the status of a refusal. */
  async function findConnection(
    user: AuthorisedUser,
    token: string | undefined,
    request: IncomingMessage,
  ): Promise<Found | number> {
    const begin = (owner: ConnectionOwner): Found => ({
      take: (socket, network) => tickets.take(owner.token, connected(owner, socket, network, request)),
      isNew: true,
    })
    if (token === undefined) {
      if (connectionLimits.isFull(user.accountId) || !connectionLimits.mayConnect(user.accountId, now())) return 429
      return begin(tickets.issueHere(user, { id: newId(), isStateful: false }, now()))
    }
    const ticket = await tickets.find(token, now())
    if (!ticket) return 404
    const { owner, connection } = ticket
    if (owner.accountId !== user.accountId || owner.sessionId !== user.sessionId) return 403
    if (!connection && connectionLimits.isFull(user.accountId)) return 429
    if (!connection) return begin({ ...owner, visit: user.visit ?? owner.visit })
    // Negotiate has counted the first socket; each later socket counts like a new connection.
    if (!connectionLimits.mayConnect(user.accountId, now())) return 429
    return connection.isResumable ? { take: (...socket) => connection.takeOver(...socket), isNew: false } : 409
  }

  async function upgrade(request: IncomingMessage, socket: Duplex, head: Buffer, refuse: Refuse): Promise<void> {
    const url = request.url ?? ''
    if (url.split('?')[0] !== HUB_PATH) return refuse(404)
    if (isDraining()) return refuse(503)
    if (!mayConnect(request)) return refuse(429)
    const query = hubQuery(url)
    let found: Found | number
    let accountId: string
    let isOutdated: boolean
    do {
      const endedBefore = endedLogins.count
      const user = await authorise(request.headers, query)
      if ('status' in user) return refuse(user.status)
      accountId = user.accountId
      found = await findConnection(user, query.get('id'), request)
      // Repeats when a login ended meanwhile: its end could not close this connection yet, or has ended the one that was found.
      isOutdated = endedLogins.hasEndedSince(endedBefore, user.accountId, now())
    } while (isOutdated)
    if (isDraining()) return refuse(503)
    if (typeof found === 'number') return refuse(found)
    // Checked again: several sockets of one user may have been authorised at the same time.
    if (found.isNew && connectionLimits.isFull(accountId)) return refuse(429)
    const { take } = found
    server.handleUpgrade(request, socket, head, (opened) => take(opened, networkOf(request)))
  }

  return (request: IncomingMessage, socket: Duplex, head: Buffer): void => {
    const ignore = () => undefined
    socket.on('error', ignore)
    function refuse(status: number): void {
      refused(request, status)
      endWithStatus(socket, status)
    }
    upgrade(request, socket, head, refuse).catch((error: unknown) => {
      log.error({ err: error }, 'hub: an upgrade failed')
      refuse(503)
    })
  }
}
