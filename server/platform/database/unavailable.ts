import { AppError } from '#protocol/errors.ts'

/** The records are unavailable for now: no fault of the caller, and a retry will succeed. */
export function unavailable(cause: unknown): AppError {
  const error = new AppError('unavailable', 'The records cannot be reached')
  error.cause = cause
  return error
}
