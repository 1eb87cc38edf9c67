import { isHTTPError, isNetworkError, isTimeoutError, type KyResponse } from 'ky'
import * as v from 'valibot'
import { AppError, problemSchema, toAppError } from '#protocol/errors.ts'
import { tryParse } from '#protocol/parse.ts'

/** What a gateway answers when nobody behind it does. */
const GATEWAY_STATUSES = [502, 503, 504]

/** Whatever a request failed with, as one of the codes of the catalogue. */
export function toCallError(error: unknown): AppError {
  if (isHTTPError(error)) return refusalOf(error.response, error.data)
  if (isTimeoutError(error) || (error instanceof DOMException && error.name === 'AbortError'))
    return new AppError('timeout')
  if (isNetworkError(error)) return new AppError('network-error')
  if (v.isValiError(error)) {
    // The path alone: an issue's message quotes the value, which may be a token.
    return new AppError('invalid-response', `The answer is wrong at '${v.getDotPath(error.issues[0]) ?? 'its root'}'`)
  }
  return toAppError(error)
}

/** The server refuses the request for what it is: the same one will not get through later either. */
export function isRefusedForGood(status: unknown): boolean {
  return typeof status === 'number' && status >= 400 && status < 500 && status !== 408 && status !== 429
}

/** The server's own code where it sent a problem document; `details` has `status` and, of a refused input, `field`. */
function refusalOf({ status }: KyResponse, body: unknown): AppError {
  const problem = tryParse(problemSchema, body)
  if (!problem.success) {
    const code = GATEWAY_STATUSES.includes(status) ? 'server-unreachable' : 'http-error'
    return new AppError(code, `HTTP status ${status}`, { status })
  }
  const { code, title, detail, field } = problem.output
  const details = { status, ...(field === undefined ? {} : { field }) }
  return new AppError(code === 'unknown' ? 'http-error' : code, detail ?? title, details)
}
