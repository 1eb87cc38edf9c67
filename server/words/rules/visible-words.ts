import { countNumbers, spellsAddress } from './contact-words.ts'
import { type Folded, fold } from './folded.ts'
import { hasInsult, isExplicit } from './insults.ts'
import { namesRefused, type RefusedPhrase } from './refused-phrases.ts'
import { namesProduct, namesStaff } from './staff-words.ts'

/** What people may write where others read it without having asked: nicknames, interests, suggestions of interests. */

/**
 * Most numbers in a suggested interest: a text with more could be a telephone number. "Formula 1" and "Catch 22" have
 * fewer.
 */
const SUGGESTED_NUMBERS_MAX = 2
/** Most numbers in a nickname, such as "Uno Dos Tres". */
const NICKNAME_NUMBERS_MAX = 3

export type NicknameFault = 'reserved' | 'contact' | 'insult'

const isBad = (folded: Folded, refused: readonly RefusedPhrase[]) => hasInsult(folded) || namesRefused(folded, refused)

/** Returns why a nickname is refused, null if it is not. */
export function nicknameFault(nickName: string, refused: readonly RefusedPhrase[]): NicknameFault | null {
  const folded = fold(nickName)
  if (namesStaff(folded)) return 'reserved'
  if (isBad(folded, refused) || isExplicit(folded)) return 'insult'
  return spellsAddress(folded) || countNumbers(folded) > NICKNAME_NUMBERS_MAX ? 'contact' : null
}

/** True of an interest that nobody may have. */
export function isInterestRefused(interest: string, refused: readonly RefusedPhrase[]): boolean {
  return isBad(fold(interest), refused)
}

/** True of an interest that may be offered to people who do not have it. */
export function maySuggest(interest: string, refused: readonly RefusedPhrase[]): boolean {
  const folded = fold(interest)
  if (isBad(folded, refused) || isExplicit(folded) || namesProduct(folded)) return false
  return !spellsAddress(folded) && countNumbers(folded) <= SUGGESTED_NUMBERS_MAX
}
