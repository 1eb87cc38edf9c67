import * as v from 'valibot'
import { emailSchema, nicknameSchema, sessionIdSchema } from './fields.ts'
import { tryParse } from './parse.ts'

/** One more than any valid value has. */
const PARTS_MAX = 4

/** Cookie values are percent-encoded parts joined by '#', so that a part may contain any character. */
function decodeParts(text: string): string[] | null {
  try {
    return text.split('#', PARTS_MAX).map(decodeURIComponent)
  } catch {
    return null
  }
}

function encodeParts(parts: readonly string[]): string {
  return parts.map(encodeURIComponent).join('#')
}

const sessionPartsSchema = v.strictTuple([sessionIdSchema, v.picklist(['new', 'existing'])])
const profilePartsSchema = v.strictTuple([emailSchema, nicknameSchema, v.literal('true')])

export type SessionCookie = { id: string; type: 'new' | 'existing' }
export type ProfileCookie = { email: string; nickName: string }

/** Value of the profile cookie while the user has no profile. */
export const EMPTY_PROFILE = 'Empty'

export function formatSessionCookie({ id, type }: SessionCookie): string {
  return encodeParts([id, type])
}

/** Returns null unless the text has exactly the parts id and type. */
export function parseSessionCookie(text: string): SessionCookie | null {
  const parts = tryParse(sessionPartsSchema, decodeParts(text))
  return parts.success ? { id: parts.output[0], type: parts.output[1] } : null
}

export function formatProfileCookie({ email, nickName }: ProfileCookie): string {
  return encodeParts([email, nickName, 'true'])
}

/** Returns null unless the text has exactly the parts email, nickname and 'true'. */
export function parseProfileCookie(text: string): ProfileCookie | null {
  const parts = tryParse(profilePartsSchema, decodeParts(text))
  return parts.success ? { email: parts.output[0], nickName: parts.output[1] } : null
}
