import { DAY_MS, MINUTE_MS } from './durations.ts'
import { WORD } from './visible-words.ts'

/** Business constants shared by browser and server. Durations are in milliseconds unless the name says otherwise. */

export const PRODUCT_NAME = 'Waggle'
export const APP_VERSION = '20251103.14.51'
export const COPYRIGHT_YEAR = 2026

/** The product's IndexedDB database: blobs and texts by name. */
export const DATABASE = { name: 'UserDb', store: 'userStore' } as const

export const LOG_LEVELS = ['Trace', 'Info', 'Error', 'Exception'] as const

export const SESSION_ID_PATTERN = /^[\w-]{1,64}$/
/** Visible letters of any script, and single spaces between words. */
export const NICKNAME_PATTERN = new RegExp(`^${WORD}(?: ${WORD})*$`, 'u')
export const EMAIL_MAX = 254
/** Sent with a camera frame in place of a value that the client does not have. */
export const NULL_EMAIL_ADDRESS = 'NullEmailAddress'
export const NULL_USER_SESSION_ID = 'NullUserSessionId'

export const API_BASE = '/api'
/** Path of the request that begins a visit, below `API_BASE`. */
export const START_PATH = 'start/get'
export const HUB_PATH = '/chathub'
/** A header that a cross-site form cannot send; every API request that changes data carries it. */
export const REQUESTED_WITH = { name: 'X-Requested-With', value: 'XMLHttpRequest' } as const

/**
 * The cookie that the page sets at a logout and keeps until the server has confirmed the logout. Its value is the id of the login session
 * that is over. Every request carries the cookie, so that no response is for the user who has logged out.
 */
export const LOGOUT_COOKIE = 'logout'

/** The header by which the server recognises a request that is sent again. */
export const IDEMPOTENCY_KEY = 'Idempotency-Key'

/** The `message` of a response that reports nothing but success. */
export const VALID = 'Valid'

export const API_TIMEOUT_MS = 20_000
export const API_ATTEMPTS = 3
export const API_RETRY_DELAY_MS = 3_000
export const COOKIE_TIMEOUT_MS = 10_000
export const IP_LOOKUP_TIMEOUT_MS = 10_000
/** Time for which a validation of the login is valid while the page is open. */
export const LOGIN_CHECK_MS = 5 * MINUTE_MS
export const LOG_TIMEOUT_MS = 30_000
export const LOG_INTERVAL_MS = 180_000

export const HUB_SERVER_TIMEOUT_MS = 30_000
export const HUB_KEEP_ALIVE_MS = 15_000
export const HUB_HANDSHAKE_TIMEOUT_MS = 15_000
export const HUB_RECONNECT_DELAYS_MS = [0, 2_000, 10_000, 30_000]
/** Bytes of unacknowledged messages that each side buffers, so that the connection can resume over a new socket. */
export const HUB_STATEFUL_BUFFER_BYTES = 100_000
/** Largest hub message in bytes; a larger one closes the connection. */
export const HUB_MESSAGE_LIMIT = 32 * 1024
/** Deepest nesting of arrays and objects in a hub message; a deeper one closes the connection. */
export const HUB_DEPTH_LIMIT = 16
/** How long the sender of a chat message waits for the peer's acknowledgement. */
export const CHAT_DELIVERY_MS = 10_000
/** How long the server keeps the match or queue entry of a user whose hub connection dropped. */
export const HUB_RESUME_MS = 45_000

/** Time after the end of a match for which its report is accepted. A browser that could not send the report keeps it for this time. */
export const LATE_REPORT_MS = DAY_MS

export const MATCH_TIMEOUT_MS = 20_000
export const MATCH_RELAX_AFTER_MS = 10_000
export const NEXT_WAIT_SECONDS = 10
export const UNDERSTOOD_WAIT_SECONDS = 10
export const MATCHING_SHUFFLE_MS = 5_000
/** After this time without a match, the matching page offers to call the user back. */
export const LONG_SEARCH_MS = MINUTE_MS
/** Up to this number, the hub tells exactly how many other users search; a larger number is rounded down to hundreds. */
export const QUEUE_SIZE_EXACT_MAX = 99
/** Largest number of other searching users that the hub tells. */
export const QUEUE_SIZE_MAX = 1_000
/** While a user types, the peer is told at most this often. */
export const TYPING_INTERVAL_MS = 3_000
/** The peer counts as typing for this long after the last event. */
export const TYPING_SHOWN_MS = 5_000
export const MATCHING_FACES = 7
/** Number of decorative faces of each kind. */
export const FACE_COUNTS = { man: 60, woman: 62 } as const
export const FRAME_INTERVAL_MS = 10_000

export const MINIMUM_AGE = 18
export const NICKNAME_MAX = 30
export const LANGUAGES_MAX = 5
export const INTERESTS_MAX = 5
export const INTEREST_MAX = 30
/** Most digits of an interest; a text with more could be a telephone number. */
export const INTEREST_DIGITS_MAX = 3
export const SUGGESTIONS_MAX = 100
/**
 * An interest is suggested once settled users of this many networks have chosen it, since a rare word can name a
 * person. One person can have many accounts, but hardly a settled account in each of many networks.
 */
export const SUGGESTED_FROM_NETWORKS = 20
export const CHAT_MESSAGE_MAX = 2_000
export const EXCLUSIONS_MAX = 1_000
export const DEVICE_TEXT_MAX = 20
export const NOT_AVAILABLE = 'NA'
export const ONLINE_USERS_FALLBACK = 10
export const REVIEW_DAYS = 10
export const CONSENT_VERSION = '2024-03-01'

export const JSON_LIMIT = 256 * 1024
/** Largest body in bytes of a request without a login. */
export const ANONYMOUS_LIMIT = 64 * 1024
export const LOG_BATCH_LIMIT = 512 * 1024
export const LOG_BATCH_ENTRIES = 1_000
export const FRAME_LIMIT = 1024 * 1024
export const PICTURE_LIMIT = 5 * 1024 * 1024

/** Validity of the credentials that `GET turn` returns; an allocation made within this time remains. */
export const TURN_CREDENTIAL_MS = 10 * MINUTE_MS
export const PUBLIC_STUN_URLS = ['stun:stun.l.google.com:19302', 'stun:stun1.l.google.com:19302']
