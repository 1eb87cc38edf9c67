import { PRODUCT_NAME } from '#protocol/constants.ts'
import { type Folded, looksAtEnd, looksLike, looksPartly } from './folded.ts'

/**
 * Words that would make a nickname look like one of the operator's staff, in the languages with the most users of the
 * web.
 */

/** Words that no honest name contains. */
const anywhere = `moderator moderador moderateur moderatore moderation moderacion moderacao administrator administrador
  administrateur amministratore helpdesk customerservice trustandsafety safetyteam webmaster`.split(/\s+/)

/** Words that count only as whole words: a longer word can be honest, such as "Badminton" or "Staffan". */
const whole = `admin admins mod mods staff support soporte suporte supporto destek official oficial officiel ufficiale
  offiziell yonetici`.split(/\s+/)
const atEitherEnd = ['admin', 'techsupport', 'supportteam']

/** Words in other scripts than Latin, which may have no space between words. */
const otherScripts =
  `модератор администратор адміністратор админ адмін поддержка підтримка συντονιστής διαχειριστής υποστήριξη
  管理员 管理員 版主 客服 官方 運営 管理人 管理者 公式 モデレーター サポート アドミン 관리자 운영자 운영진 고객센터
  مشرف الدعم مدیر پشتیبانی
  תמיכה אדמין
  मॉडरेटर व्यवस्थापक एडमिन सपोर्ट ผู้ดูแล แอดมิน`
    .split(/\s+/)
    .map((word) => word.normalize('NFKC').toLowerCase())

export function namesProduct({ joined }: Folded): boolean {
  return looksPartly(joined, PRODUCT_NAME.toLowerCase())
}

export function namesStaff(folded: Folded): boolean {
  const { words, joined } = folded
  if (namesProduct(folded) || anywhere.some((word) => looksPartly(joined, word))) return true
  if (otherScripts.some((word) => joined.text.includes(word))) return true
  if (whole.some((word) => looksLike(joined, word) || words.some((one) => looksLike(one, word)))) return true
  return words.some((one) => atEitherEnd.some((word) => looksAtEnd(one, word)))
}
