import type { ErrorCode } from '#protocol/errors.ts'

/** Why the server may refuse a nickname that the browser accepts: the browser does not have the server's word lists. */
const reasons = ['reserved', 'contact', 'refused'] as const
export type NicknameRefusal = (typeof reasons)[number]

export function isNicknameRefusal(reason: string | null): reason is NicknameRefusal {
  return reasons.some((known) => known === reason)
}

const refusals: Partial<Record<ErrorCode, NicknameRefusal>> = {
  'nickname-reserved': 'reserved',
  'nickname-contact': 'contact',
  'word-refused': 'refused',
}

/** Returns null for an error that is not about the nickname. */
export function nicknameRefusal(code: ErrorCode): NicknameRefusal | null {
  return refusals[code] ?? null
}
