import { PRODUCT_NAME } from '#protocol/constants.ts'
import { countNumbers, spellsAddress } from './contact-words.ts'
import { type Folded, fold, looksAtEnd, looksLike, looksPartly } from './folded.ts'
import { hasInsult, isExplicit } from './insults.ts'
import { namesRefused, type RefusedPhrase } from './refused-phrases.ts'

/** What people may write where others read it without having asked: nicknames, interests, suggestions of interests. */

// Words by which a person would pass for the operator's staff, in the languages with the most users of the web.

/** Words that no honest name contains. */
const anywhere = `moderator moderador moderateur moderatore moderation moderacion moderacao administrator administrador
  administrateur amministratore helpdesk customerservice trustandsafety safetyteam webmaster`.split(/\s+/)

/** Words that count only as whole words: a longer word can be honest, such as "Badminton" or "Staffan". */
const whole = `admin admins mod mods staff support soporte suporte supporto destek official oficial officiel ufficiale
  offiziell yonetici`.split(/\s+/)
const atEitherEnd = ['admin', 'techsupport', 'supportteam']

/** In scripts that are not Latin, in which words may follow each other without a space. */
const otherScripts =
  `модератор администратор адміністратор админ адмін поддержка підтримка συντονιστής διαχειριστής υποστήριξη
  管理员 管理員 版主 客服 官方 運営 管理人 管理者 公式 モデレーター サポート アドミン 관리자 운영자 운영진 고객센터
  مشرف الدعم مدیر پشتیبانی
  תמיכה אדמין
  मॉडरेटर व्यवस्थापक एडमिन सपोर्ट ผู้ดูแล แอดมิน`
    .split(/\s+/)
    .map((word) => word.normalize('NFKC').toLowerCase())

function namesProduct({ joined }: Folded): boolean {
  return looksPartly(joined, PRODUCT_NAME.toLowerCase())
}

function namesStaff(folded: Folded): boolean {
  const { words, joined } = folded
  if (namesProduct(folded) || anywhere.some((word) => looksPartly(joined, word))) return true
  if (otherScripts.some((word) => joined.text.includes(word))) return true
  if (whole.some((word) => looksLike(joined, word) || words.some((one) => looksLike(one, word)))) return true
  return words.some((one) => atEitherEnd.some((word) => looksAtEnd(one, word)))
}

/** Most numbers in a suggested interest: a text with more could be a telephone number. "Formula 1" and "Catch 22" have fewer. */
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
