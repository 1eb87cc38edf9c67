import * as v from 'valibot'
import { NICKNAME_MAX } from '#protocol/constants.ts'
import { nicknameSchema } from '#protocol/fields.ts'

/** What the field shows while somebody types: letters of any script and single spaces, none in front. */
export function cleanNickname(typed: string): string {
  return typed
    .replace(/[^\p{L}\p{M} ]/gu, '')
    .replace(/ {2,}/g, ' ')
    .replace(/^ /, '')
}

/** The message at the field, or null when the nickname is good. A space at the end is not yet an error: it is trimmed. */
export function nicknameError(typed: string): string | null {
  const result = v.safeParse(nicknameSchema, typed.trim())
  return result.success ? null : result.issues[0].message
}

/** Counted as the server counts: UTF-16 units. */
export function nicknameCount(typed: string): string {
  return `${typed.length}/${NICKNAME_MAX}`
}
