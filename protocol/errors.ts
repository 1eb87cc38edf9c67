import * as v from 'valibot'

/** Everything that can go wrong between the browser, its workers and the server, as one closed set of codes. */
export const errorCodeSchema = v.picklist([
  // transport
  'timeout',
  'network-error',
  'server-unreachable',
  'invalid-response',
  'http-error',
  'unknown',
  'aborted',
  // threads
  'worker-died',
  'worker-error',
  // API
  'bad-request',
  'login-required',
  'refresh-failed',
  'origin-refused',
  'forbidden',
  'blocked',
  'underage',
  'not-found',
  'wrong-state',
  'too-large',
  'wrong-type',
  'too-many-requests',
  'unavailable',
  'provider-refused',
  // hub
  'not-delivered',
  'not-in-match',
  'replaced',
  'hub-unavailable',
  // media
  'camera-refused',
  'encode-failed',
  'offer-incomplete',
  'peer-failed',
  // sign-in
  'popup-blocked',
  'sign-in-cancelled',
  'email-missing',
  // start-up
  'cookie-invalid',
  'session-incomplete',
])
export type ErrorCode = v.InferOutput<typeof errorCodeSchema>

const detailsSchema = v.record(v.string(), v.union([v.string(), v.number(), v.boolean()]))
export type ErrorDetails = v.InferOutput<typeof detailsSchema>

/** The one error class: a string code that survives every boundary, a message for developers, plain details. */
export class AppError extends Error {
  override readonly name = 'AppError'
  readonly code: ErrorCode
  readonly details: ErrorDetails

  constructor(code: ErrorCode, message: string = code, details: ErrorDetails = {}) {
    super(message)
    this.code = code
    this.details = details
  }
}

/** The shape in which an AppError crosses a thread. */
export const errorShapeSchema = v.object({ code: errorCodeSchema, message: v.string(), details: detailsSchema })
export type ErrorShape = v.InferOutput<typeof errorShapeSchema>

/** Whatever was thrown, as an AppError; `code` is used for values that are none. */
export function toAppError(thrown: unknown, code: ErrorCode = 'unknown'): AppError {
  if (thrown instanceof AppError) return thrown
  return new AppError(code, thrown instanceof Error ? thrown.message : String(thrown))
}

/** An RFC 9457 problem document as the API sends it; `field` names the input that was refused. */
export const problemSchema = v.object({
  type: v.string(),
  title: v.string(),
  status: v.number(),
  code: v.fallback(errorCodeSchema, 'unknown'),
  detail: v.optional(v.string()),
  field: v.optional(v.string()),
})
export type Problem = v.InferOutput<typeof problemSchema>

/** What a person reads when a call failed: the catalogue of numbered messages. */
export const HTTP_ERROR_TITLE = 'Oops! Something went wrong.'

const numberedMessages = {
  300: 'Unable to connect to our services. Please check your internet connection and try again.',
  302: 'Connection problem detected. Please check your internet connection and try again.',
  303: 'The request is taking longer than expected. Please try again.',
  309: "We're experiencing technical difficulties. Please try again in a few moments.",
  310: 'We received an unexpected response. Please try again.',
  400: 'Something went wrong. Please try again or contact support if the problem persists.',
} as const
type MessageNumber = keyof typeof numberedMessages

const numberOf: Partial<Record<ErrorCode, MessageNumber>> = {
  unknown: 300,
  'server-unreachable': 300,
  'network-error': 302,
  timeout: 303,
  'http-error': 309,
  unavailable: 309,
  'too-many-requests': 309,
  'invalid-response': 310,
}

/** The text of the HTTP error popup: 'Error {code}: {message}'. Any code without a number of its own is 400. */
export function httpErrorText(code: ErrorCode): string {
  const number = numberOf[code] ?? 400
  return `Error ${number}: ${numberedMessages[number]}`
}

/** Standard messages by code, for a bottom popup or a log line. */
export const errorMessages = {
  timeout: 'Request timed out after the specified period.',
  'network-error': 'Network error occurred. Please check your connection.',
  'server-unreachable': 'Server is unreachable. Please try again later.',
  unknown: 'An unexpected error occurred. Please try again later.',
  'not-found': 'The requested resource was not found.',
  'login-required': 'You are not authorized to access this resource.',
  forbidden: 'You do not have permission to perform this action.',
  'bad-request': 'The request was invalid. Please check your input and try again.',
  'popup-blocked': 'Sign-in popup was blocked. Please allow popups for this site',
  'sign-in-cancelled': 'Sign-in was cancelled',
  'camera-refused': 'Unable to access camera and microphone. Please reset permissions and try again.',
  'not-delivered': 'This message was not delivered.',
  'hub-unavailable': 'The connection to our services was lost. Please start again.',
  replaced: 'You opened the chat in another tab, so it ended here.',
} satisfies Partial<Record<ErrorCode, string>>
