import { isHTTPError, isNetworkError, isTimeoutError, type KyResponse } from 'ky'
import * as v from 'valibot'
import { AppError, toAppError } from '#protocol/errors.ts'
import { tryParse } from '#protocol/parse.ts'
import { problemSchema } from '#protocol/problem.ts'

/** Statuses of a gateway whose upstream server does not respond. */
const GATEWAY_STATUSES = [502, 503, 504]

/** Message of a request without a response. */
const NO_RESPONSE = 'Network error. Please check your internet connection'

/** Converts any failure of a request to an AppError. */
export function toRequestError(error: unknown): AppError {
  if (isHTTPError(error)) return rejectionOf(error.response, error.data)
  if (isTimeoutError(error) || (error instanceof DOMException && error.name === 'AbortError'))
    return new AppError('timeout')
  if (isNetworkError(error)) return new AppError('network-error', NO_RESPONSE)
  if (v.isValiError(error)) {
    // Only the path: an issue's message quotes the value, which may be a token.
    return new AppError(
      'invalid-response',
      `The response is invalid at '${v.getDotPath(error.issues[0]) ?? 'its root'}'`,
    )
  }
  return toAppError(error)
}

/** True if the same request would be rejected again later: any 4xx but 408 and 429. */
export function isPermanentRejection(status: unknown): boolean {
  return typeof status === 'number' && status >= 400 && status < 500 && status !== 408 && status !== 429
}

/** Takes the code from the problem document if there is one; `details` has `status` and, for a rejected input, `field`. */
function rejectionOf({ status }: KyResponse, body: unknown): AppError {
  const problem = tryParse(problemSchema, body)
  if (!problem.success) {
    const code = GATEWAY_STATUSES.includes(status) ? 'server-unreachable' : 'http-error'
    return new AppError(code, `HTTP status ${status}`, { status })
  }
  const { code, title, detail, field } = problem.output
  const details = { status, ...(field === undefined ? {} : { field }) }
  return new AppError(code === 'unknown' ? 'http-error' : code, detail ?? title, details)
}
