import { NOT_AVAILABLE } from '#protocol/constants.ts'

/** What a provider does not tell is 'NA'. */
export function orNotAvailable(text: string | null | undefined): string {
  return text?.trim() || NOT_AVAILABLE
}

/** A full name split at its first space; a missing part is 'NA'. */
export function splitName(name: string | null | undefined): { firstName: string; lastName: string } {
  const [first, ...rest] = (name ?? '').trim().split(/\s+/)
  return { firstName: orNotAvailable(first), lastName: orNotAvailable(rest.join(' ')) }
}
