import { Link } from 'react-router-dom'
import type { CaseSummary } from '#protocol/console.ts'
import { Button } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { Spinner } from '../../ui/spinner.tsx'
import styles from './console.module.css'
import { useConsole } from './context.ts'
import { counted, dueText, kindTexts, reasonTexts, statusTexts } from './texts.ts'

type QueueListProps = { cases: readonly CaseSummary[]; caseId: string | null; move: (by: 1 | -1) => void }

/** Open cases, most urgent first, or the results of a search. */
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
        <Button look="quiet" wide onClick={() => void store.more()}>
          Show more
        </Button>
      )}
    </div>
  )
}

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

type RowProps = { case: CaseSummary; current: boolean }
