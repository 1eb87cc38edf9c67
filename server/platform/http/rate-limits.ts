import type { FastifyRequest } from 'fastify'
import { MINUTE_MS } from '#protocol/durations.ts'
import { addressKey } from './client-address.ts'

/** At most `max` requests in a window of `timeWindow` ms, which begins with the first. */
export type RateLimit = {
  max: number
  timeWindow: number
  /** Each server counts separately, for an endpoint that costs less than a shared count. */
  isOwn?: true
  /** Returns the key of a request, instead of the `limitKey` of its table of endpoints. */
  keyOf?: (request: FastifyRequest) => string
}

/** Counts the requests of one network, whatever their login. */
export function byNetwork(request: FastifyRequest): string {
  return addressKey(request.ip)
}

/** Counts the requests of one account; requests without a login count by network. */
export function byAccount(request: FastifyRequest): string {
  return request.callerId ?? byNetwork(request)
}

/** Limit of all endpoints together that have no separate limit; sign-in (`setTokens`) is one of them. */
export const GENERAL_RATE = { max: 300, timeWindow: MINUTE_MS }
export const PROFILE_RATE = { max: 30, timeWindow: MINUTE_MS }
export const PREFERENCES_RATE = { max: 30, timeWindow: MINUTE_MS }
/** A browser sends one request each time the list opens. */
export const SUGGESTIONS_RATE = { max: 30, timeWindow: MINUTE_MS }
/** A dashboard sends six requests a minute. The response is in memory. */
export const ONLINE_RATE: RateLimit = { ...GENERAL_RATE, isOwn: true }
/** A quarter of the general limit: this request replaces four requests that a visit made under the general limit. */
export const START_RATE = { max: GENERAL_RATE.max / 4, timeWindow: MINUTE_MS }
export const REFRESH_RATE = { max: 60, timeWindow: MINUTE_MS }
/** Each request causes a request to the identity provider. */
export const SIGN_IN_AGAIN_RATE = { max: 10, timeWindow: MINUTE_MS }
/** A browser sends one request on a visit to matching and another when the credentials expire. */
export const TURN_RATE = { max: 30, timeWindow: MINUTE_MS }
/** A browser sends one request a match. */
export const MATCH_PICTURE_RATE = { max: 30, timeWindow: MINUTE_MS }
/** A browser sends one or two requests a match. */
export const CONNECTION_RATE = { max: 30, timeWindow: MINUTE_MS }
/** A browser sends one request a call. */
export const CURTAIN_RATE = { max: 10, timeWindow: MINUTE_MS }
/** A browser of the sample sends one request a match. */
export const EXPERIENCE_RATE = { max: 20, timeWindow: MINUTE_MS }
/** An open page sends one request in 30 s. */
export const STATUS_RATE = { max: 60, timeWindow: MINUTE_MS, keyOf: byNetwork }
/** Each request reads everything that is stored about one person. */
export const EXPORT_RATE = { max: 5, timeWindow: 10 * MINUTE_MS }
/** More than any person needs, and too few to guess a code. */
export const DELETION_STATUS_RATE = { max: 30, timeWindow: MINUTE_MS, keyOf: byNetwork }
/** More than a person sends, including the browser's retries; several people may share a network. */
export const CONTENT_NOTICE_RATE = { max: 20, timeWindow: 10 * MINUTE_MS, keyOf: byNetwork }
/** More than any person needs, and too few to guess a reference number. */
export const CONTENT_NOTICE_STATE_RATE = { max: 20, timeWindow: MINUTE_MS, keyOf: byNetwork }
/** A browser sends one frame in 10 s. */
export const FRAME_RATE = { max: 1, timeWindow: 8_000 }
export const LOG_RATE = { max: 60, timeWindow: MINUTE_MS, keyOf: byNetwork }
/** Facebook sends the requests of all its users from a few addresses. */
export const FACEBOOK_RATE = { max: 300, timeWindow: MINUTE_MS }
