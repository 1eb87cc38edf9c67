import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify'
import { AppError } from '#protocol/errors.ts'
import type { Config } from '../../config/config.ts'
import { endSocket } from './end-socket.ts'
import { problemOf, sendError } from './problems.ts'

/** Time for a whole request: long enough for the largest upload over a slow connection. */
const REQUEST_TIMEOUT_MS = 60_000
/** Time for the headers of a request; a client that sends them byte by byte only wants to hold a connection. */
const HEADERS_TIMEOUT_MS = 15_000
/** Time between two searches for connections that exceed a time limit. */
const CONNECTIONS_CHECK_MS = 5_000
/** Time that an idle connection is kept: longer than proxies keep it, or they would use a connection that is being closed. */
const KEEP_ALIVE_MS = 72_000
const HEADER_BYTES = 16 * 1024
/** The largest body of a request that no table of endpoints describes. */
const BODY_BYTES = 16 * 1024
/** Time without traffic during a request until its connection is closed, such as when a client reads no response. */
const STILL_MS = 90_000

/** Leaves out the levels trace and debug, on which the framework and its plugins log whole requests with cookies. */
function frameworkLog(log: FastifyBaseLogger, { logLevel }: Config): FastifyBaseLogger {
  return logLevel === 'trace' || logLevel === 'debug' ? log.child({}, { level: 'info' }) : log
}

const refusals: Record<string, { status: number; error: AppError }> = {
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, error: new AppError('bad-request', 'The request took too long') },
  HPE_HEADER_OVERFLOW: { status: 431, error: new AppError('too-large', 'The headers are too large') },
}
const noHttp = { status: 400, error: new AppError('bad-request', 'This is no HTTP request') }

/** Responds to bytes that are no request. Nothing is logged, because such bytes may contain anything. */
export function refuseUnparsedRequest({ code }: { code?: string }, socket: Duplex): void {
  if (code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const { status, error } = refusals[code ?? ''] ?? noHttp
  const body = JSON.stringify(problemOf(error, status))
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Content-Type: application/problem+json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Cache-Control: no-store',
    'X-Content-Type-Options: nosniff',
    'Connection: close',
  ]
  endSocket(socket, `${head.join('\r\n')}\r\n\r\n${body}`)
}

/** Requests of one connection without a response; browsers and proxies send one at a time. */
const UNDER_WAY_MAX = 16

const EXPECTATION_FAILED = 'HTTP/1.1 417 Expectation Failed\r\nConnection: close\r\nContent-Length: 0\r\n\r\n'

/**
 * Destroys a connection with more than `UNDER_WAY_MAX` requests without a response. All requests of one read are
 * handled in one turn of the event loop: thousands of small requests, sent without waiting for responses, would delay
 * all other requests by seconds. The rest of such a read does not reach the framework.
 */
function limitPipelining({ server }: FastifyInstance): void {
  const underWay = new WeakMap<Socket, number>()
  const handlers = server.listeners('request')
  server.removeAllListeners('request')

  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const { socket } = request
    const others = underWay.get(socket) ?? 0
    if (socket.destroyed || others >= UNDER_WAY_MAX) {
      socket.destroy()
      return
    }
    underWay.set(socket, others + 1)
    response.once('close', () => underWay.set(socket, (underWay.get(socket) ?? 1) - 1))
    for (const handle of handlers) handle.call(server, request, response)
  })

  // A message with an expectation other than 100-continue never becomes a request, so no other limit applies to it.
  server.on('checkExpectation', ({ socket }: { socket: Socket }) => {
    if (socket.writable) endSocket(socket, EXPECTATION_FAILED)
  })
}

/** Creates the HTTP server, which does not listen yet. */
export function createHttpServer(deps: {
  config: Config
  newId: () => string
  log: FastifyBaseLogger
}): FastifyInstance {
  const { config, newId, log } = deps
  const app: FastifyInstance = fastify({
    loggerInstance: frameworkLog(log, config),
    logController: new LogController({ disableRequestLogging: true }),
    requestTimeout: REQUEST_TIMEOUT_MS,
    bodyLimit: BODY_BYTES,
    connectionTimeout: STILL_MS,
    genReqId: newId,
    keepAliveTimeout: KEEP_ALIVE_MS,
    http: {
      maxHeaderSize: HEADER_BYTES,
      headersTimeout: HEADERS_TIMEOUT_MS,
      connectionsCheckingInterval: CONNECTIONS_CHECK_MS,
    },
    clientErrorHandler: refuseUnparsedRequest,
    // The hook of operations refuses requests with a problem document instead.
    return503OnClosing: false,
    trustProxy: config.trustProxy,
    frameworkErrors: sendError,
  })
  app.decorateRequest('callerId', null)
  limitPipelining(app)
  return app
}
