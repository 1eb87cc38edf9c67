import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { AppError, type ErrorCode, standardMessages } from '#protocol/errors.ts'
import type { Problem } from '#protocol/problem.ts'

const statusOf: Partial<Record<ErrorCode, number>> = {
  'bad-request': 400,
  'email-missing': 400,
  'picture-refused': 400,
  'nickname-reserved': 400,
  'nickname-contact': 400,
  'word-refused': 400,
  'login-required': 401,
  'refresh-failed': 401,
  'provider-refused': 401,
  'origin-refused': 403,
  'sign-in-again': 403,
  'other-account': 403,
  forbidden: 403,
  blocked: 403,
  underage: 403,
  'not-found': 404,
  timeout: 408,
  'wrong-state': 409,
  'too-large': 413,
  'wrong-type': 415,
  'too-many-requests': 429,
  'provider-unavailable': 502,
  unavailable: 503,
}

const titles: Record<number, string> = {
  400: 'Bad request',
  401: 'Login required',
  403: 'Forbidden',
  404: 'Not found',
  405: 'Method not allowed',
  408: 'Request timeout',
  409: 'Conflict with the current state',
  413: 'Too large',
  414: 'Address too long',
  415: 'Unsupported type',
  429: 'Too many requests',
  431: 'Headers too large',
  500: 'Internal error',
  502: 'Bad gateway',
  503: 'Unavailable',
}

const codeOfStatus: Record<number, ErrorCode> = {
  400: 'bad-request',
  404: 'not-found',
  406: 'wrong-type',
  413: 'too-large',
  415: 'wrong-type',
  429: 'too-many-requests',
  503: 'unavailable',
}

/** Seconds in `Retry-After` for an error without `retryAfter` in its details. */
const RETRY_SECONDS = 5
const RETRIED_STATUSES = [429, 502, 503]

/** Returns an error that names the field at fault. */
export function fieldError(code: ErrorCode, field: string, message: string): AppError {
  return new AppError(code, message, { field })
}

/**
 * Returns errors of the framework and its plugins as an AppError. Returns null for a fault of this program, whose
 * details the client must not receive.
 */
export function asAppError(error: unknown): AppError | null {
  if (error instanceof AppError) return error
  const { statusCode, message } = error as Partial<FastifyError>
  const code = statusCode === undefined ? undefined : codeOfStatus[statusCode]
  if (code) return new AppError(code, message)
  return statusCode !== undefined && statusCode < 500 ? new AppError('bad-request', message) : null
}

/** `status` overrides the status that belongs to the error's code. */
export function problemOf(error: AppError, status: number = statusOf[error.code] ?? 500): Problem {
  const { field } = error.details
  const detail = error.message === error.code ? standardMessages[error.code] : error.message
  return {
    type: `urn:waggle:${error.code}`,
    title: titles[status] ?? 'Error',
    status,
    code: error.code,
    ...(detail === undefined ? {} : { detail }),
    ...(typeof field === 'string' ? { field } : {}),
  }
}

export function sendProblem(reply: FastifyReply, error: AppError, status?: number): FastifyReply {
  const problem = problemOf(error, status)
  const { retryAfter } = error.details
  if (typeof retryAfter === 'number') reply.header('retry-after', retryAfter)
  else if (RETRIED_STATUSES.includes(problem.status) && !reply.hasHeader('retry-after'))
    reply.header('retry-after', RETRY_SECONDS)
  return reply
    .code(problem.status)
    .header('cache-control', 'no-store')
    .type('application/problem+json')
    .send(JSON.stringify(problem))
}

export function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const known = asAppError(error)
  const { reason } = known?.details ?? {}
  if (!known) request.log.error({ err: error }, 'request failed')
  // The fault of another service is logged for the operator and not sent to the caller.
  else if (reason) request.log.warn({ reason }, known.message)
  return sendProblem(reply, known ?? new AppError('unknown', 'Something went wrong on our side'))
}

/** Sends every error as a problem document, never with a stack. */
export function sendErrorsAsProblems(app: FastifyInstance): void {
  app.setErrorHandler(sendError)
}
