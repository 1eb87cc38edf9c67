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

/** Why the notice was not accepted. `unsent`: no response of the server. `too-many`: a limit. `refused`: a refusal. */
type NoticeFailure = 'unsent' | 'too-many' | 'refused'
/** `unknown`: there is no notice with this number and e-mail address. `unread`: the request failed. */
type Lookup = 'none' | 'reading' | 'found' | 'unknown' | 'unread' | 'deleted'
type OwnNotice = { reference: string; email: string }

export type ContentNoticeStore = ReturnType<typeof createContentNoticeStore>
type ContentNoticePorts = {
  api: Api
  log: Log
  newKey: () => string
  /** Calculates a proof of work. Resolves with null after an abort, or if it takes too long. */
  solve: (challenge: NoticeChallenge, controller: AbortController) => Promise<NoticeProof | null>
}

function failureOf(thrown: unknown): NoticeFailure {
  const { code } = toAppError(thrown)
  if (code === 'too-many-requests') return 'too-many'
  return ['bad-request', 'wrong-state', 'too-large', 'origin-refused'].includes(code) ? 'refused' : 'unsent'
}

/** The form for people without an account, and the state of a notice that was sent. */
export function createContentNoticeStore(ports: ContentNoticePorts) {
  const { forget: forgetForm, ...form } = createForm(ports)
  const { forget: forgetLookup, ...lookup } = createLookup(ports)
  return {
    ...form,
    ...lookup,
    /** Clears everything that the user typed and read; called when the login ends. */
    forget(): void {
      forgetForm()
      forgetLookup()
    },
  }
}

/** Gets the proof of work that the server demands with a notice while there are too many notices. */
function createProver({ api, log, solve }: ContentNoticePorts) {
  const proving = signal(false)
  let solving: AbortController | null = null
  return {
    proving: proving as ReadonlySignal<boolean>,
    /** Resolves with null if the server wants no proof, or none can be calculated. */
    async prove(): Promise<NoticeProof | null> {
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
    },
    stop: (): void => solving?.abort(),
  }
}

function createForm(ports: ContentNoticePorts) {
  const { api, log, newKey } = ports
  const draft = signal<NoticeDraft>(emptyDraft)
  const faults = signal<NoticeFaults>({})
  const failure = signal<NoticeFailure | null>(null)
  const sending = signal(false)
  const receipt = signal<ContentNoticeReceipt | null>(null)
  const prover = createProver(ports)
  /** The last attempt. The same notice is sent again under the same key, so that the server keeps it once. */
  let attempt: { key: string; draft: string } | null = null
  /** Number of the current user of this page: a response for an earlier user is dropped. */
  let users = 0

  function keyOf(sent: NoticeDraft): string {
    const text = JSON.stringify(sent)
    if (attempt?.draft !== text) attempt = { key: newKey(), draft: text }
    return attempt.key
  }

  async function sendWithProof(notice: ContentNotice): Promise<ContentNoticeReceipt> {
    try {
      return await api.request('sendContentNotice', notice)
    } catch (thrown) {
      if (toAppError(thrown).code !== 'too-many-requests') throw thrown
      const proof = await prover.prove()
      if (!proof) throw thrown
      return api.request('sendContentNotice', { ...notice, proof })
    }
  }

  function refuse(thrown: unknown): void {
    const { details } = toAppError(thrown)
    const field = noticeFields.find((name) => name === details.field)
    if (field) faults.value = { [field]: 'invalid' }
    else failure.value = failureOf(thrown)
    log.error('A content notice was not sent', thrown)
  }

  async function send(today: string): Promise<boolean> {
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
  }

  return {
    draft: draft as ReadonlySignal<NoticeDraft>,
    faults: faults as ReadonlySignal<NoticeFaults>,
    failure: failure as ReadonlySignal<NoticeFailure | null>,
    sending: sending as ReadonlySignal<boolean>,
    /** True while the browser calculates a proof of work. */
    proving: prover.proving,
    receipt: receipt as ReadonlySignal<ContentNoticeReceipt | null>,

    /** Keeps the text of the form in memory, so that it is there again after a visit to another page. */
    keep(typed: NoticeDraft): void {
      draft.value = typed
    },

    /** Sends the notice. Resolves with true when the server has stored it. Until then the form keeps its text. */
    send,

    /** Shows the form again, for another notice. */
    again(): void {
      receipt.value = null
    },

    forget(): void {
      users += 1
      prover.stop()
      draft.value = emptyDraft
      faults.value = {}
      failure.value = null
      receipt.value = null
      attempt = null
    },
  }
}

/** Reads the state of a notice by its number and e-mail address, and deletes the notice. */
function createLookup({ api, log }: ContentNoticePorts) {
  const lookup = signal<Lookup>('none')
  const found = signal<ContentNoticeState | null>(null)
  let own: OwnNotice | null = null
  return {
    lookup: lookup as ReadonlySignal<Lookup>,
    found: found as ReadonlySignal<ContentNoticeState | null>,

    async read(asked: OwnNotice): Promise<void> {
      if (lookup.peek() === 'reading') return
      own = asked
      lookup.value = 'reading'
      try {
        const answer = await api.request('readContentNotice', asked)
        if (own !== asked) return
        found.value = answer
        lookup.value = 'found'
      } catch (thrown) {
        if (own !== asked) return
        const { code } = toAppError(thrown)
        lookup.value = code === 'not-found' || code === 'bad-request' ? 'unknown' : 'unread'
        if (lookup.peek() === 'unread') log.error('The state of a content notice was not read', thrown)
      }
    },

    /** Deletes the notice that was looked up. */
    async erase(): Promise<void> {
      if (!own || lookup.peek() !== 'found') return
      lookup.value = 'reading'
      const asked = own
      try {
        await api.request('deleteContentNotice', asked)
        if (own === asked) lookup.value = 'deleted'
      } catch (thrown) {
        if (own !== asked) return
        // `not-found`: an earlier attempt, whose response was lost, has deleted the notice.
        lookup.value = toAppError(thrown).code === 'not-found' ? 'deleted' : 'unread'
        if (lookup.peek() === 'unread') log.error('A content notice was not deleted', thrown)
      }
    },

    forget(): void {
      lookup.value = 'none'
      found.value = null
      own = null
    },
  }
}
