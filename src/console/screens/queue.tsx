import { type FormEvent, type RefObject, useRef } from 'react'
import { Link } from 'react-router-dom'
import { type CaseSummary, caseKindSchema } from '#protocol/console.ts'
import { CONTENT_NOTICE_NEAR_MS, type ContentNoticeSummary } from '#protocol/console-notices.ts'
import { shownReference } from '#protocol/content-notices.ts'
import { Button } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import fields from '../../ui/forms/fields.module.css'
import { Spinner } from '../../ui/spinner.tsx'
import styles from './console.module.css'
import { useConsole } from './hooks.ts'
import { counted, dueText, kindTexts, noticeKindTexts, reasonTexts, statusTexts } from './texts.ts'

/** The search field, and the filter by kind of case. */
export function QueueTools({ searchRef }: { searchRef: RefObject<HTMLInputElement | null> }) {
  const store = useConsole()
  const form = useRef<HTMLFormElement>(null)
  const kind = store.kind.value
  const found = store.found.value

  function submit(event: FormEvent): void {
    event.preventDefault()
    void store.search(searchRef.current?.value ?? '')
  }

  return (
    <div className={styles.tools}>
      <search>
        <form ref={form} onSubmit={submit}>
          <input
            ref={searchRef}
            type="search"
            name="text"
            className={styles.search}
            aria-label="Search"
            placeholder="Nickname, case id or whole e-mail"
            maxLength={254}
            onChange={(event) => {
              if (event.currentTarget.value === '') void store.search('')
            }}
          />
        </form>
      </search>
      <fieldset className={fields.chips}>
        <legend className="visually-hidden">Cases shown</legend>
        {[null, ...caseKindSchema.options].map((option) => (
          <label key={option} className={fields.chip}>
            <input
              type="radio"
              name="kind"
              checked={option === kind && !found}
              onChange={() => {
                form.current?.reset()
                void store.filter(option)
              }}
            />
            {option ? kindTexts[option] : 'All'}
          </label>
        ))}
      </fieldset>
      <p role="status" className={styles.count}>
        {found ? `${found.cases.length} found for “${found.text}”` : `${store.queue.value.open} open`}
      </p>
    </div>
  )
}

type QueueListProps = { cases: readonly CaseSummary[]; caseId: string | null; move: (by: 1 | -1) => void }

/** Shows the open cases, most urgent first, or the results of a search. */
export function QueueList({ cases, caseId, move }: QueueListProps) {
  const store = useConsole()
  const { next } = store.queue.value
  const found = store.found.value !== null
  const loading = store.queueLoading.value
  return (
    <div className={styles.scroller}>
      {cases.length === 0 && !loading && <p className={styles.nothing}>{found ? 'Nobody.' : 'Nothing is open.'}</p>}
      <ol
        className={styles.list}
        aria-label={found ? 'Found' : 'Open cases'}
        onKeyDown={(event) => {
          if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
          event.preventDefault()
          move(event.key === 'ArrowDown' ? 1 : -1)
        }}
      >
        {cases.map((one) => (
          <li key={one.id}>
            <Row case={one} current={one.id === caseId} />
          </li>
        ))}
      </ol>
      {loading && <Spinner label="Loading cases" />}
      {!found && !loading && next !== null && (
        <Button variant="quiet" wide onClick={() => void store.more()}>
          Show more
        </Button>
      )}
    </div>
  )
}

type RowProps = { case: CaseSummary; current: boolean }

function Row({
  case: { id, nickName, status, kinds, reports, reporters, findings, weight, dueAt, priority },
  current,
}: RowProps) {
  const now = Date.now()
  const what = [
    reports > 0 && `${counted(reports, 'report')}${reporters < reports ? ` by ${reporters}` : ''}`,
    findings > 0 && counted(findings, 'flagged frame'),
    weight > 0 && `weight ${weight}`,
  ].filter(Boolean)
  return (
    <Link
      to={`/moderation/${id}`}
      data-case={id}
      aria-current={current || undefined}
      className={classNames(styles.row, current && styles.current)}
    >
      <span className={styles.name}>{nickName ?? 'No profile'}</span>
      <span className={styles.id}>{id.slice(0, 8)}</span>
      <span className={styles.what}>
        {priority && <strong className={styles.priority}>{reasonTexts[priority.reason]} · </strong>}
        {kinds.map((kind) => kindTexts[kind]).join(', ') || statusTexts[status]}
        {what.length > 0 && ` · ${what.join(' · ')}`}
      </span>
      {dueAt !== null && (
        <span className={classNames(styles.due, dueAt < now && styles.late)}>{dueText(dueAt, now)}</span>
      )}
    </Link>
  )
}

const isNear = ({ dueAt }: ContentNoticeSummary, now: number) => dueAt < now + CONTENT_NOTICE_NEAR_MS

/** Returns true if a notice is overdue or due within a day. The notices are then shown above the cases. */
export function useUrgentNotices(): boolean {
  const now = Date.now()
  return useConsole().notices.queue.value.notices.some((notice) => isNear(notice, now))
}

/** Shows the notices of people without an account, by deadline. */
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
