import { Link } from 'react-router-dom'
import { CONTENT_NOTICE_NEAR_MS, type ContentNoticeSummary } from '#protocol/console-notices.ts'
import { shownReference } from '#protocol/content-notices.ts'
import { classNames } from '../../ui/class-names.ts'
import styles from './console.module.css'
import { useConsole } from './context.ts'
import { dueText, noticeKindTexts } from './texts.ts'

const isNear = ({ dueAt }: ContentNoticeSummary, now: number) => dueAt < now + CONTENT_NOTICE_NEAR_MS

/** Returns true if a notice is due within a day or overdue. The queue of notices is then shown above the queue of cases. */
export function useUrgentNotices(): boolean {
  const now = Date.now()
  return useConsole().notices.queue.value.notices.some((notice) => isNear(notice, now))
}

/** Notices of people without an account, by deadline. */
export function NoticeList({ noticeId }: { noticeId: string | null }) {
  const { notices, open } = useConsole().notices.queue.value
  if (open === 0) return null
  const now = Date.now()
  const overdue = notices.filter(({ dueAt }) => dueAt < now).length
  return (
    <section aria-label="Notices" className={styles.notices}>
      <h2 className={styles.count}>
        {`Notices of people without an account: ${open} open${overdue > 0 ? `, ${overdue} overdue` : ''}`}
      </h2>
      <ol className={styles.list} aria-label="Open notices">
        {notices.map((notice) => (
          <li key={notice.id}>
            <Link
              to={`/moderation/notices/${notice.id}`}
              aria-current={notice.id === noticeId || undefined}
              className={classNames(styles.row, notice.id === noticeId && styles.current)}
            >
              <span className={styles.name}>{noticeKindTexts[notice.kind]}</span>
              <span className={styles.id}>{shownReference(notice.reference)}</span>
              <span className={styles.what}>{isNear(notice, now) ? 'Answer it now' : 'Waiting'}</span>
              <span className={classNames(styles.due, isNear(notice, now) && styles.late)}>
                {dueText(notice.dueAt, now)}
              </span>
            </Link>
          </li>
        ))}
      </ol>
    </section>
  )
}
