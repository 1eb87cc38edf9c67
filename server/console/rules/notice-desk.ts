import type { ConsoleEndpointOutput, ConsoleInput } from '#protocol/console.ts'
import type { ContentNoticeSummary, NoticeEmailState, OpenedContentNotice } from '#protocol/console-notices.ts'
import { AppError } from '#protocol/errors.ts'
import type { ContentNotices, StoredNotice } from '../../notices/rules/ports.ts'
import type { Clock } from '../../platform/rules/clock.ts'
import type { ConsoleCaller, RecordAction } from './ports.ts'

/** Most notices that the queue shows; those that are due first. */
const NOTICES_SHOWN = 50

type Deps = {
  records: Pick<ContentNotices, 'open' | 'find' | 'counts' | 'answer'>
  record: RecordAction
  clock: Pick<Clock, 'now'>
  sendsEmail: boolean
}

function summaryOf({ id, reference, kind, at, dueAt }: StoredNotice): ContentNoticeSummary {
  return { id, reference, kind, at, dueAt }
}

/** The moderators' view of content notices. Each opened notice and each answer is written to the audit before its result is returned. */
export function createNoticeDesk({ records, record, clock, sendsEmail }: Deps) {
  function emailStateOf({ answer, emailIsWaiting, emailedAt }: StoredNotice): NoticeEmailState {
    if (emailedAt !== null) return 'sent'
    if (!sendsEmail) return 'off'
    return answer === null || emailIsWaiting ? 'waiting' : 'failed'
  }

  function openedOf(notice: StoredNotice): OpenedContentNotice {
    const { email, day, time, description, link, signature, isGoodFaith, answer } = notice
    const written = { email, day, time, description, link, signature, isGoodFaith }
    return { ...summaryOf(notice), ...written, answer, emailState: emailStateOf(notice) }
  }

  async function find(id: string): Promise<StoredNotice> {
    const notice = await records.find('id', id)
    if (!notice) throw new AppError('not-found', 'There is no such notice')
    return notice
  }

  return {
    async queue(): Promise<ConsoleEndpointOutput<'readContentNotices'>> {
      const [notices, { open }] = await Promise.all([records.open(NOTICES_SHOWN), records.counts(clock.now())])
      return { notices: notices.map(summaryOf), open }
    },

    async open(caller: ConsoleCaller, id: string): Promise<OpenedContentNotice> {
      const notice = await find(id)
      await record(caller, 'notice-opened', notice.reference)
      return openedOf(notice)
    },

    /** Rejects with `wrong-state` when the notice has an answer, or another moderator answers at the same time. */
    async answer(
      caller: ConsoleCaller,
      { id, outcome, text }: ConsoleInput<'answerContentNotice'>,
    ): Promise<OpenedContentNotice> {
      const { reference, answer } = await find(id)
      if (answer) throw new AppError('wrong-state', 'This notice has an answer')
      await record(caller, 'notice-answered', `${reference} ${outcome}`)
      const at = clock.now()
      const isFirst = await records.answer(id, { outcome, text, at, moderator: caller.name }, sendsEmail ? at : null)
      if (!isFirst) {
        await record(caller, 'notice-answer-too-late', reference)
        throw new AppError('wrong-state', 'Somebody else has just answered')
      }
      return openedOf(await find(id))
    },
  }
}
