import { NICKNAME_MAX } from '#protocol/constants.ts'
import { nicknameSchema } from '#protocol/fields.ts'
import { tryParse } from '#protocol/parse.ts'
import { JOINERS_AT_END, trimNickname, WORD } from '#protocol/visible-words.ts'

const SEEN = new RegExp(`${WORD}| |${JOINERS_AT_END.source}`, 'gu')

/** Reduces typed text to visible letters of any script and single spaces; removes leading spaces. */
export function cleanNickname(typed: string): string {
  return (typed.match(SEEN) ?? []).join('').replace(/ {2,}/g, ' ').replace(/^ /, '')
}

export type NicknameError = 'missing' | 'too-long' | 'letters'

/** Returns the error of the nickname; null if it is valid. A trailing space is no error, since it is trimmed. */
export function nicknameError(typed: string): NicknameError | null {
  const nickName = trimNickname(typed)
  if (tryParse(nicknameSchema, nickName).success) return null
  if (nickName === '') return 'missing'
  return nickName.length > NICKNAME_MAX ? 'too-long' : 'letters'
}

/** Returns length and limit as text. The length is in UTF-16 code units, as the server counts. */
export function nicknameCount(typed: string): string {
  return `${typed.length}/${NICKNAME_MAX}`
}
