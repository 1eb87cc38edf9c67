import type { ErrorCode } from '#protocol/errors.ts'
import { fieldError } from '../../platform/http/problems.ts'
import type { NicknameFault } from '../../words/rules/visible-words.ts'
import type { WordChecks } from '../../words/rules/word-checks.ts'

const refusals: Record<NicknameFault, { code: ErrorCode; message: string }> = {
  reserved: { code: 'nickname-reserved', message: 'This nickname could pass for the staff of this site' },
  contact: { code: 'nickname-contact', message: 'A nickname spells no telephone number and no address' },
  insult: { code: 'word-refused', message: 'A nickname has no word that is refused here' },
}

/** Rejects with the name of the field unless the nickname may be chosen. */
export async function requireNickname(words: Pick<WordChecks, 'faultOfNickname'>, nickName: string): Promise<void> {
  const fault = await words.faultOfNickname(nickName)
  if (fault === null) return
  const { code, message } = refusals[fault]
  throw fieldError(code, 'NickName', message)
}
