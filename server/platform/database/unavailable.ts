import { AppError } from '#protocol/errors.ts'

/** The records cannot be had now: not the caller's fault, and over by itself. */
export function unavailable(cause: unknown): AppError {
  const error = new AppError('unavailable', 'The records cannot be reached')
  error.cause = cause
  return error
}
