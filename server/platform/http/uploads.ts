import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { ANONYMOUS_LIMIT } from '#protocol/constants.ts'
import { AppError } from '#protocol/errors.ts'
import type { Clock } from '../rules/clock.ts'
import { type Upload, type UploadBounds, UploadLimits } from '../rules/upload-limits.ts'
import { addressKey } from './client-address.ts'
import { createDiscard } from './discard-rest.ts'

const MB = 1024 * 1024

/**
 * An account sends at most a picture, two frames and a batch of log entries at the same time, perhaps from two tabs.
 * Many people may share an address; each sends a frame of 100 KB in 10 s. The bound of all bodies is a small part of
 * the smallest heap that the server is run with.
 */
const bounds: UploadBounds = {
  account: { uploads: 6, bytes: 16 * MB },
  address: { uploads: 64, bytes: 16 * MB },
  bytes: 48 * MB,
}
/** A body with at most this announced size is not a large upload: it arrives with its first packets. */
const SMALL_BYTES = 16 * 1024

const CHECK_MS = 1_000
/** Checks in a row without a new byte after which a body is refused; also the checks after which its average rate counts. */
const QUIET_CHECKS = 10
const LEAST_BYTES_PER_CHECK = 1024

function hasBody({ headers }: IncomingMessage): boolean {
  return 'transfer-encoding' in headers || (headers['content-length'] ?? '0') !== '0'
}

function tooLarge(limit: number): AppError {
  return new AppError('too-large', `A body has at most ${limit} bytes here`)
}

/** Calls `events` while the body is read. `stop` makes the body fail with the error. */
function watchBody(
  raw: IncomingMessage,
  clock: Clock,
  events: { bytes: (count: number) => void; stalled: () => void; ended: () => void },
): { stop: (error: AppError) => void } {
  let cancelCheck = () => {}
  let [seen, seenBefore, checks, quiet] = [0, 0, 0, 0]
  // Without the pause, the listener would start the flow before the parser of the body listens.
  raw.pause()
  raw.on('data', (chunk: Buffer) => {
    seen += chunk.length
    events.bytes(chunk.length)
  })
  raw.on('error', () => undefined)

  // Counts checks instead of milliseconds: a pause of this process is not a pause of the sender.
  function check(): void {
    checks += 1
    quiet = seen === seenBefore ? quiet + 1 : 0
    seenBefore = seen
    const isSlow = checks >= QUIET_CHECKS && seen < checks * LEAST_BYTES_PER_CHECK
    if (isSlow || quiet >= QUIET_CHECKS) events.stalled()
    else cancelCheck = clock.after(CHECK_MS, check)
  }

  raw.once('resume', () => {
    cancelCheck = clock.after(CHECK_MS, check)
  })
  raw.once('end', () => cancelCheck())
  raw.once('close', () => {
    cancelCheck()
    events.ended()
  })
  return {
    stop(error) {
      cancelCheck()
      raw.emit('error', error)
    },
  }
}

/**
 * Limits the memory of request bodies of all routes: their size, the number of a client address and of an account at
 * the same time, the bytes of all bodies together, and the time without progress. Refuses a request before its body is
 * read if the head shows that it breaks a limit.
 */
export function limitUploads(
  app: FastifyInstance,
  { clock, isProxy }: { clock: Clock; isProxy: (address: string) => boolean },
): void {
  const limits = new UploadLimits(bounds)
  const uploads = new WeakMap<FastifyRequest, Upload>()
  const discardRest = createDiscard(clock)

  app.addHook('onRequest', ({ raw }, reply, done) => {
    if (hasBody(raw)) reply.raw.once('finish', () => discardRest(raw))
    done()
  })

  // Runs after the checks of login and type, which routes make in onRequest.
  app.addHook('preParsing', async (request) => {
    const { raw, ip, callerId: account } = request
    if (!hasBody(raw)) return
    const { bodyLimit: ofRoute = 0 } = request.routeOptions
    const limit = account === null ? Math.min(ofRoute, ANONYMOUS_LIMIT) : ofRoute
    const announced = Number(raw.headers['content-length'] ?? Number.POSITIVE_INFINITY)
    if (Number.isFinite(announced) && announced > limit) throw tooLarge(limit)
    const upload = limits.begin({
      address: isProxy(ip) ? null : addressKey(ip),
      account,
      isLarge: announced > SMALL_BYTES,
      refuse: (error) => body.stop(error),
    })
    uploads.set(request, upload)

    function refuse(error: AppError): void {
      limits.finish(upload)
      body.stop(error)
    }

    const body = watchBody(raw, clock, {
      bytes(count) {
        if (upload.bytes + count > limit) refuse(tooLarge(limit))
        else limits.arrived(upload, count)
      },
      stalled: () => refuse(new AppError('timeout', 'The body came too slowly')),
      ended() {
        if (!raw.readableEnded) limits.finish(upload)
      },
    })
    raw.once('end', () => {
      upload.isArriving = false
    })
  })

  // Once the response is sent, the body is no longer needed.
  app.addHook('onSend', (request, _reply, _payload, done) => {
    const upload = uploads.get(request)
    if (upload) limits.finish(upload)
    done()
  })
}
