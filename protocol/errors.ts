import { type Checked, isFlag, isNumber, isObjectOf, isOneOf, isRecordOf, isText } from './checks.ts'

/** The closed set of error codes shared by the browser, its workers and the server. */
export const errorCodes = [
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
  'sign-in-again',
  'other-account',
  'origin-refused',
  'forbidden',
  'blocked',
  'underage',
  'not-found',
  'wrong-state',
  'too-large',
  'wrong-type',
  'picture-refused',
  'nickname-reserved',
  'nickname-contact',
  'word-refused',
  'too-many-requests',
  'unavailable',
  'provider-refused',
  'provider-unavailable',
  // hub
  'not-delivered',
  'not-in-match',
  'replaced',
  'hub-unavailable',
  // media
  'camera-refused',
  'encode-failed',
  'canvas-changed',
  'offer-incomplete',
  'peer-failed',
  'relay-unavailable',
  // safety curtain
  'curtain-no-simd',
  'curtain-model-missing',
  'curtain-model-damaged',
  'curtain-too-slow',
  // sign-in
  'popup-blocked',
  'sign-in-unreachable',
  'sign-in-cancelled',
  'email-missing',
  // start-up
  'cookie-invalid',
  'session-incomplete',
] as const
export type ErrorCode = (typeof errorCodes)[number]

const DETAILS_MAX = 32
const isDetail = (value: unknown) => isText(value) || isNumber(value) || isFlag(value)
const areDetails = isRecordOf(isDetail, DETAILS_MAX)
export type ErrorDetails = Checked<typeof areDetails>

/** The only error class: a string code that is kept across threads and HTTP, a message for developers, plain details. */
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

/** The plain object that stands for an AppError in a message between threads. */
export const isErrorShape = isObjectOf({ code: isOneOf(errorCodes), message: isText, details: areDetails })
export type ErrorShape = Checked<typeof isErrorShape>

/** Returns an AppError as it is, and wraps any other thrown value in an AppError with `code`. */
export function toAppError(thrown: unknown, code: ErrorCode = 'unknown'): AppError {
  if (thrown instanceof AppError) return thrown
  return new AppError(code, thrown instanceof Error ? thrown.message : String(thrown))
}

/** The default message of a code in a problem document, for developers of clients. */
export const standardMessages: Partial<Record<ErrorCode, string>> = {
  timeout: 'Request timed out after the specified period.',
  'network-error': 'Network error occurred. Please check your connection.',
  'server-unreachable': 'Server is unreachable. Please try again later.',
  unknown: 'An unexpected error occurred. Please try again later.',
  'not-found': 'The requested resource was not found.',
  'login-required': 'You are not authorized to access this resource.',
  forbidden: 'You do not have permission to perform this action.',
  'sign-in-again': 'Sign in with your provider again before you do this.',
  'other-account': 'The provider named another account than the one that is signed in.',
  'bad-request': 'The request was invalid. Please check your input and try again.',
}

/** The number of a failure that the user sees. The sentence for it is in the texts of the pages. */
export type ErrorNumber = 300 | 302 | 303 | 309 | 310 | 400

const numberOf: Partial<Record<ErrorCode, ErrorNumber>> = {
  unknown: 300,
  'server-unreachable': 300,
  'hub-unavailable': 300,
  'network-error': 302,
  timeout: 303,
  'http-error': 309,
  unavailable: 309,
  'provider-unavailable': 309,
  'too-many-requests': 309,
  'invalid-response': 310,
}

/** Returns 400 for a code without a number of its own. */
export function errorNumber(code: ErrorCode): ErrorNumber {
  return numberOf[code] ?? 400
}
