import { AppError } from '#protocol/errors.ts'

/** The records cannot be opened. The message is one line for the operator. */
export class StoreError extends Error {
  override readonly name = 'StoreError'
}

/** The records are unavailable for now: no fault of the caller, and a retry will succeed. */
export function unavailable(cause: unknown): AppError {
  const error = new AppError('unavailable', 'The records cannot be reached')
  error.cause = cause
  return error
}
