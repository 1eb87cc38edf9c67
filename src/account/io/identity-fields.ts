import { NOT_AVAILABLE } from '#protocol/constants.ts'

/** Returns 'NA' for a missing field. */
export function orNotAvailable(text: string | null | undefined): string {
  return text?.trim() || NOT_AVAILABLE
}

/** Splits a full name at its first space; a missing part is 'NA'. */
export function splitName(name: string | null | undefined): { firstName: string; lastName: string } {
  const [first, ...rest] = (name ?? '').trim().split(/\s+/)
  return { firstName: orNotAvailable(first), lastName: orNotAvailable(rest.join(' ')) }
}
