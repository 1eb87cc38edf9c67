import { AppError } from '#protocol/errors.ts'

/**
 * Returns the error for records that cannot be reached for now. The caller is not at fault, and a retry will succeed.
 */
export function unavailable(cause: unknown): AppError {
  const error = new AppError('unavailable', 'The records cannot be reached')
  error.cause = cause
  return error
}
