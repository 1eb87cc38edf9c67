import { type ReadonlySignal, signal } from '@preact/signals-react'
import type {
  ContentNotice,
  ContentNoticeReceipt,
  ContentNoticeState,
  NoticeChallenge,
  NoticeProof,
} from '#protocol/content-notices.ts'
import { toAppError } from '#protocol/errors.ts'
import type { Log } from '../../platform/log.ts'
import type { Api } from '../../platform/ports.ts'
import {
  emptyDraft,
  type NoticeDraft,
  type NoticeFaults,
  noticeFaults,
  noticeFields,
  noticeOf,
} from '../rules/content-notice.ts'

/** Why nothing was sent: no answer from the server, a limit, or anything else. */
export type NoticeFailure = 'unsent' | 'too-many' | 'refused'
/** `unknown`: no notice has this number and address. `unread`: the request failed. */
type Look = 'none' | 'reading' | 'found' | 'unknown' | 'unread' | 'deleted'
export type OwnNotice = { reference: string; email: string }

export type ContentNoticeStore = ReturnType<typeof createContentNoticeStore>
export type ContentNoticePorts = {
  api: Api
  log: Log
  newKey: () => string
  /** Resolves with null after an abort or when it takes too long. */
  solve: (challenge: NoticeChallenge, controller: AbortController) => Promise<NoticeProof | null>
}

function failureOf(thrown: unknown): NoticeFailure {
  const { code } = toAppError(thrown)
  if (code === 'too-many-requests') return 'too-many'
  return ['bad-request', 'wrong-state', 'too-large', 'origin-refused'].includes(code) ? 'refused' : 'unsent'
}

/** The form for people without an account, and the state of a notice that was sent. */
export function createContentNoticeStore({ api, log, newKey, solve }: ContentNoticePorts) {
  const draft = signal<NoticeDraft>(emptyDraft)
  const faults = signal<NoticeFaults>({})
  const failure = signal<NoticeFailure | null>(null)
  const sending = signal(false)
  const proving = signal(false)
  let solving: AbortController | null = null
  const receipt = signal<ContentNoticeReceipt | null>(null)
  const look = signal<Look>('none')
  const found = signal<ContentNoticeState | null>(null)
  /** The last attempt. The same notice is sent again under the same key, so that it is kept once. */
  let attempt: { key: string; draft: string } | null = null
  let own: OwnNotice | null = null
  /** Number of the present user of this page: a response to a request of an earlier user is dropped. */
  let users = 0

  function keyOf(sent: NoticeDraft): string {
    const text = JSON.stringify(sent)
    if (attempt?.draft !== text) attempt = { key: newKey(), draft: text }
    return attempt.key
  }

  /** Resolves with null where none is wanted or none can be calculated. */
  async function findProof(): Promise<NoticeProof | null> {
    const controller = new AbortController()
    solving = controller
    try {
      const { challenge } = await api.request('readNoticeChallenge', undefined)
      if (!challenge || controller.signal.aborted) return null
      proving.value = true
      return await solve(challenge, controller)
    } catch (thrown) {
      log.error('No proof for a content notice was found', thrown)
      return null
    } finally {
      proving.value = false
      solving = null
    }
  }

  /** Sends a notice, with a proof of work if too many come in without one. */
  async function sendWithProof(notice: ContentNotice): Promise<ContentNoticeReceipt> {
    try {
      return await api.request('sendContentNotice', notice)
    } catch (thrown) {
      if (toAppError(thrown).code !== 'too-many-requests') throw thrown
      const proof = await findProof()
      if (!proof) throw thrown
      return api.request('sendContentNotice', { ...notice, proof })
    }
  }

  function refuse(thrown: unknown): void {
    const { details } = toAppError(thrown)
    const field = noticeFields.find((one) => one === details.field)
    if (field) faults.value = { [field]: 'invalid' }
    else failure.value = failureOf(thrown)
    log.error('A content notice was not sent', thrown)
  }

  return {
    draft: draft as ReadonlySignal<NoticeDraft>,
    faults: faults as ReadonlySignal<NoticeFaults>,
    failure: failure as ReadonlySignal<NoticeFailure | null>,
    sending: sending as ReadonlySignal<boolean>,
    /** True while the browser calculates a proof of work. */
    proving: proving as ReadonlySignal<boolean>,
    /** The receipt of the notice that was sent last. */
    receipt: receipt as ReadonlySignal<ContentNoticeReceipt | null>,
    look: look as ReadonlySignal<Look>,
    found: found as ReadonlySignal<ContentNoticeState | null>,

    /** Stores the text of the form, so that it survives a visit to another page. */
    keep(typed: NoticeDraft): void {
      draft.value = typed
    },

    /** Resolves with true once the server has the notice. The form keeps its text until then. */
    async send(today: string): Promise<boolean> {
      if (sending.peek()) return false
      const sent = draft.peek()
      failure.value = null
      faults.value = noticeFaults(sent, today)
      if (Object.keys(faults.peek()).length > 0) return false
      sending.value = true
      const sender = users
      try {
        const received = await sendWithProof(noticeOf(sent, keyOf(sent)))
        if (sender !== users) return false
        receipt.value = received
        draft.value = emptyDraft
        attempt = null
        return true
      } catch (thrown) {
        if (sender === users) refuse(thrown)
        return false
      } finally {
        sending.value = false
      }
    },

    /** Clears everything that the user typed and read; called when the login ends. */
    forget(): void {
      users += 1
      solving?.abort()
      draft.value = emptyDraft
      faults.value = {}
      failure.value = null
      receipt.value = null
      look.value = 'none'
      found.value = null
      attempt = null
      own = null
    },

    /** Shows the form again, for another notice. */
    again(): void {
      receipt.value = null
    },

    /** Reads the state of a notice. */
    async read(asked: OwnNotice): Promise<void> {
      if (look.peek() === 'reading') return
      own = asked
      look.value = 'reading'
      try {
        const answer = await api.request('readContentNotice', asked)
        if (own !== asked) return
        found.value = answer
        look.value = 'found'
      } catch (thrown) {
        if (own !== asked) return
        const { code } = toAppError(thrown)
        look.value = code === 'not-found' || code === 'bad-request' ? 'unknown' : 'unread'
        if (look.peek() === 'unread') log.error('The state of a content notice was not read', thrown)
      }
    },

    /** Deletes the notice that was looked up. */
    async erase(): Promise<void> {
      if (!own || look.peek() !== 'found') return
      look.value = 'reading'
      const asked = own
      try {
        await api.request('deleteContentNotice', asked)
        if (own === asked) look.value = 'deleted'
      } catch (thrown) {
        if (own !== asked) return
        // Deleted by an attempt whose response was lost.
        look.value = toAppError(thrown).code === 'not-found' ? 'deleted' : 'unread'
        if (look.peek() === 'unread') log.error('A content notice was not deleted', thrown)
      }
    },
  }
}
