import { MINUTE_MS } from '#protocol/durations.ts'

/** Of every call that has no limit of its own, together. */
export const GENERAL_RATE = { max: 300, timeWindow: MINUTE_MS }
export const PROFILE_RATE = { max: 30, timeWindow: MINUTE_MS }
export const REFRESH_RATE = { max: 60, timeWindow: MINUTE_MS }
/** Each asks the identity provider. */
export const SIGN_IN_AGAIN_RATE = { max: 10, timeWindow: MINUTE_MS }
/** Browsers ask once a visit to matching and again when credentials grow old. */
export const TURN_RATE = { max: 30, timeWindow: MINUTE_MS }
/** A browser tells of a match once or twice. */
export const CONNECTION_RATE = { max: 30, timeWindow: MINUTE_MS }
/** Reads whole tables' worth of one person. */
export const EXPORT_RATE = { max: 5, timeWindow: 10 * MINUTE_MS }
/** Nobody needs more, and whoever guesses codes gets nowhere. */
export const DELETION_STATUS_RATE = { max: 30, timeWindow: MINUTE_MS, perAddress: true } as const
/** Browsers send one frame in 10 s. */
export const FRAME_RATE = { max: 1, timeWindow: 8_000 }
export const LOG_RATE = { max: 60, timeWindow: MINUTE_MS, perAddress: true } as const
/** From a few addresses of Facebook, for all the people who ask there. */
export const FACEBOOK_RATE = { max: 300, timeWindow: MINUTE_MS }
