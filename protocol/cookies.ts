import { isOneOf } from './checks.ts'
import { EMAIL_MAX, NICKNAME_MAX, NICKNAME_PATTERN, SESSION_ID_PATTERN } from './constants.ts'

/** Most parts that are read: one more than any valid value has. */
const PARTS_MAX = 4

/** Cookie values are percent-encoded parts joined by '#', so that a part may contain any character. */
function decodeParts(text: string): string[] {
  try {
    return text.split('#', PARTS_MAX).map(decodeURIComponent)
  } catch {
    return []
  }
}

function encodeParts(parts: readonly string[]): string {
  return parts.map(encodeURIComponent).join('#')
}

const isSessionType = isOneOf(['new', 'existing'])

/** A rough check: the address was checked when the account was made, and the server compares it with that of the account. */
function isEmail(text: string): boolean {
  return text.length <= EMAIL_MAX && /^[^\s@]+@[^\s@]+$/.test(text)
}

function isNickname(text: string): boolean {
  return text.length <= NICKNAME_MAX && NICKNAME_PATTERN.test(text)
}

export type SessionCookie = { id: string; type: 'new' | 'existing' }
export type ProfileCookie = { email: string; nickName: string }

/** Value of the profile cookie while the user has no profile. */
export const EMPTY_PROFILE = 'Empty'

export function formatSessionCookie({ id, type }: SessionCookie): string {
  return encodeParts([id, type])
}

/** Returns null unless the text has exactly the parts id and type. */
export function parseSessionCookie(text: string): SessionCookie | null {
  const [id = '', type, ...rest] = decodeParts(text)
  return SESSION_ID_PATTERN.test(id) && isSessionType(type) && rest.length === 0 ? { id, type } : null
}

export function formatProfileCookie({ email, nickName }: ProfileCookie): string {
  return encodeParts([email, nickName, 'true'])
}

/** Returns null unless the text has exactly the parts email, nickname and 'true'. */
export function parseProfileCookie(text: string): ProfileCookie | null {
  const [email = '', nickName = '', confirmed, ...rest] = decodeParts(text)
  const isValid = isEmail(email) && isNickname(nickName) && confirmed === 'true' && rest.length === 0
  return isValid ? { email, nickName } : null
}
