import { NICKNAME_MAX } from '#protocol/constants.ts'
import { nicknameSchema } from '#protocol/fields.ts'
import { tryParse } from '#protocol/parse.ts'

/** What the field shows while somebody types: letters of any script and single spaces, none in front. */
export function cleanNickname(typed: string): string {
  return typed
    .replace(/[^\p{L}\p{M} ]/gu, '')
    .replace(/ {2,}/g, ' ')
    .replace(/^ /, '')
}

export type NicknameError = 'missing' | 'too-long' | 'letters'

/** What is wrong, or null when the nickname is good. A space at the end is not yet an error: it is trimmed. */
export function nicknameError(typed: string): NicknameError | null {
  const nickName = typed.trim()
  if (tryParse(nicknameSchema, nickName).success) return null
  if (nickName === '') return 'missing'
  return nickName.length > NICKNAME_MAX ? 'too-long' : 'letters'
}

/** Counted as the server counts: UTF-16 units. */
export function nicknameCount(typed: string): string {
  return `${typed.length}/${NICKNAME_MAX}`
}
