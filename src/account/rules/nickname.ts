import { NICKNAME_MAX } from '#protocol/constants.ts'
import { nicknameSchema } from '#protocol/fields.ts'
import { tryParse } from '#protocol/parse.ts'
import { JOINERS_AT_END, trimNickname, WORD } from '#protocol/visible-words.ts'

const SEEN = new RegExp(`${WORD}| |${JOINERS_AT_END.source}`, 'gu')

/** Reduces typed text to visible letters of any script and single spaces, without a leading space. */
export function cleanNickname(typed: string): string {
  return (typed.match(SEEN) ?? []).join('').replace(/ {2,}/g, ' ').replace(/^ /, '')
}

export type NicknameError = 'missing' | 'too-long' | 'letters'

/** Returns what is wrong, or null if the nickname is valid. A trailing space is no error: it is trimmed. */
export function nicknameError(typed: string): NicknameError | null {
  const nickName = trimNickname(typed)
  if (tryParse(nicknameSchema, nickName).success) return null
  if (nickName === '') return 'missing'
  return nickName.length > NICKNAME_MAX ? 'too-long' : 'letters'
}

/** Length in UTF-16 code units, as the server counts. */
export function nicknameCount(typed: string): string {
  return `${typed.length}/${NICKNAME_MAX}`
}
