import fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify'
import type { Config } from '../../config/config.ts'
import { refuseUnparsedRequest } from './parser-errors.ts'
import { limitPipelining } from './pipelining.ts'
import { sendError } from './problems.ts'

/** Long enough for the largest upload over a slow connection. */
const REQUEST_TIMEOUT_MS = 60_000
/** Headers are small; a client that sends them byte by byte only wants to hold a connection. */
const HEADERS_TIMEOUT_MS = 15_000
/** Time between two searches for connections that are over their time. */
const CONNECTIONS_CHECK_MS = 5_000
/** Longer than proxies and balancers keep a quiet connection, or they would use one that is being closed. */
const KEEP_ALIVE_MS = 72_000
const HEADER_BYTES = 16 * 1024
/** The largest body of a request that no table of endpoints describes. */
const BODY_BYTES = 16 * 1024
/** Time after which a connection is closed on which nothing moves during a request, as that of a client that does not read its response. */
const STILL_MS = 90_000

/** On their lowest levels the framework and its plugins log whole requests, cookies included. */
function frameworkLog(log: FastifyBaseLogger, { logLevel }: Config): FastifyBaseLogger {
  return logLevel === 'trace' || logLevel === 'debug' ? log.child({}, { level: 'info' }) : log
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
    // The operations' own hook refuses requests with a problem document instead.
    return503OnClosing: false,
    trustProxy: config.trustProxy,
    frameworkErrors: sendError,
  })
  app.decorateRequest('callerId', null)
  limitPipelining(app)
  return app
}
