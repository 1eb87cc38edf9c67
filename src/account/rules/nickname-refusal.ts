import type { ErrorCode } from '#protocol/errors.ts'

/** Why the server may refuse a nickname that the browser accepts: the browser does not have the server's word lists. */
export type NicknameRefusal = 'reserved' | 'contact' | 'refused'

const refusals: Partial<Record<ErrorCode, NicknameRefusal>> = {
  'nickname-reserved': 'reserved',
  'nickname-contact': 'contact',
  'word-refused': 'refused',
}

/** Returns null for an error that is not about the nickname. */
export function nicknameRefusal(code: ErrorCode): NicknameRefusal | null {
  return refusals[code] ?? null
}
