import { EMAIL_MAX } from '#protocol/constants.ts'
import {
  CONTENT_NOTICE_LINK_MAX,
  CONTENT_NOTICE_TEXT_MAX,
  type ContentNotice,
  contentNoticeSchema,
  SIGNATURE_MAX,
} from '#protocol/content-notices.ts'
import { tryParse } from '#protocol/parse.ts'

/** The fields of the form in their order. An empty text means that the field has no value. */
export const emptyDraft = {
  kind: '',
  email: '',
  /** yyyy-MM-dd */
  day: '',
  /** HH:mm */
  time: '',
  description: '',
  link: '',
  isTrue: false,
  /** Shown only for an intimate picture, as is the signature. */
  isGoodFaith: false,
  signature: '',
}

export type NoticeDraft = typeof emptyDraft
export type NoticeField = keyof NoticeDraft
type NoticeFault = 'missing' | 'too-long' | 'invalid'
export type NoticeFaults = Partial<Record<NoticeField, NoticeFault>>

export const noticeFields = Object.keys(emptyDraft) as NoticeField[]

const optional: readonly NoticeField[] = ['time', 'link']
const ofIntimatePicture: readonly NoticeField[] = ['isGoodFaith', 'signature']
const longest: Partial<Record<NoticeField, number>> = {
  email: EMAIL_MAX,
  description: CONTENT_NOTICE_TEXT_MAX,
  link: CONTENT_NOTICE_LINK_MAX,
  signature: SIGNATURE_MAX,
}

/** Returns the fault of a field; null if it has none. `today` is yyyy-MM-dd in the person's time zone. */
function faultOf(field: NoticeField, draft: NoticeDraft, today: string): NoticeFault | null {
  if (ofIntimatePicture.includes(field) && draft.kind !== 'intimate-picture') return null
  const value = draft[field]
  const text = String(value).trim()
  if (value === false || text === '') return optional.includes(field) ? null : 'missing'
  if (text.length > (longest[field] ?? Number.POSITIVE_INFINITY)) return 'too-long'
  if (field === 'day' && text > today) return 'invalid'
  return tryParse(contentNoticeSchema.entries[field], typeof value === 'string' ? text : value).success
    ? null
    : 'invalid'
}

/** Returns the faults of the whole form; an empty object if it can be sent. */
export function noticeFaults(draft: NoticeDraft, today: string): NoticeFaults {
  const faults: NoticeFaults = {}
  for (const field of noticeFields) {
    const fault = faultOf(field, draft, today)
    if (fault) faults[field] = fault
  }
  return faults
}

/** Returns the notice to send for a form without faults. */
export function noticeOf({ time, link, signature, isGoodFaith, ...draft }: NoticeDraft, key: string): ContentNotice {
  const texts = { email: draft.email.trim(), description: draft.description.trim() }
  const filled = { ...(time !== '' && { time }), ...(link.trim() !== '' && { link: link.trim() }) }
  const statements =
    draft.kind === 'intimate-picture' ? { signature: signature.trim(), isGoodFaith: true as const } : null
  return { ...draft, ...texts, ...filled, ...statements, kind: draft.kind as ContentNotice['kind'], isTrue: true, key }
}
