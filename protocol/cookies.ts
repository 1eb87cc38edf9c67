import * as v from 'valibot'
import { emailSchema, nicknameSchema, sessionIdSchema } from './fields.ts'
import { tryParse } from './parse.ts'

/** One more than any value has: further parts make no difference. */
const PARTS_MAX = 4

/** Cookie values are parts joined by '#', each percent-encoded, so that a part may hold any character. */
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

/** Stands in the profile cookie while there is no profile. */
export const EMPTY_PROFILE = 'Empty'

export function formatSessionCookie({ id, type }: SessionCookie): string {
  return encodeParts([id, type])
}

/** Null unless there are exactly the two parts id and type. */
export function parseSessionCookie(text: string): SessionCookie | null {
  const parts = tryParse(sessionPartsSchema, decodeParts(text))
  return parts.success ? { id: parts.output[0], type: parts.output[1] } : null
}

export function formatProfileCookie({ email, nickName }: ProfileCookie): string {
  return encodeParts([email, nickName, 'true'])
}

/** Null for 'Empty', for nothing, and for anything but the three parts e-mail, nickname and 'true'. */
export function parseProfileCookie(text: string): ProfileCookie | null {
  const parts = tryParse(profilePartsSchema, decodeParts(text))
  return parts.success ? { email: parts.output[0], nickName: parts.output[1] } : null
}
