import { useEffect, useRef } from 'react'
import { Link, useNavigate } from 'react-router-dom'
import { Button } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { WarningIcon } from '../../ui/icons.tsx'
import { Logo } from '../../ui/logo.tsx'
import caseStyles from './case.module.css'
import { CaseView } from './case-view.tsx'
import styles from './console.module.css'
import { useConsole, useKeys } from './hooks.ts'
import { NoticeView } from './notice-view.tsx'
import { PreservationsView } from './preservations-view.tsx'
import { NoticeList, QueueList, QueueTools, useUrgentNotices } from './queue.tsx'
import { spanText, timeText } from './texts.ts'
import { WordsView } from './words-view.tsx'

/** A part of the console that is shown instead of a case. */
export type ConsolePart = 'words' | 'preservations'
export type ConsoleProps = { caseId: string | null; noticeId: string | null; part: ConsolePart | null }

/** Shows the queue and the case side by side; on narrow screens only one of them. */
export function Console({ caseId, noticeId, part }: ConsoleProps) {
  const store = useConsole()
  const navigate = useNavigate()
  const search = useRef<HTMLInputElement>(null)
  const moderator = store.moderator.value
  const urgent = useUrgentNotices()
  const isOpen = caseId !== null || noticeId !== null || part !== null
  const cases = store.found.value?.cases ?? store.queue.value.cases

  function move(by: 1 | -1): void {
    const at = cases.findIndex(({ id }) => id === caseId)
    const next = cases[at === -1 ? 0 : at + by]
    if (next) void navigate(`/moderation/${next.id}`, { replace: caseId !== null })
    if (at + by >= cases.length - 1 && !store.found.peek()) void store.more()
  }

  useKeys({
    j: () => move(1),
    k: () => move(-1),
    '/': () => search.current?.focus(),
  })

  useEffect(() => {
    if (caseId) document.querySelector(`[data-case="${CSS.escape(caseId)}"]`)?.scrollIntoView({ block: 'nearest' })
  }, [caseId])

  return (
    <div lang="en" dir="ltr" className={classNames(styles.console, isOpen && styles.withCase)}>
      <header className={styles.bar}>
        <h1 className="visually-hidden">Moderation</h1>
        <Logo className={styles.logo} />
        <StatisticsStrip />
        <div className={styles.who}>
          {moderator && (
            <span>
              {moderator.name} <span className={styles.until}>until {timeText(moderator.until)}</span>
            </span>
          )}
          <Link to="/moderation/preservations">Preservations</Link>
          <Link to="/moderation/words">Words</Link>
          <Button variant="plain" onClick={() => void store.logOut()}>
            Log out
          </Button>
        </div>
      </header>
      <Note />
      <main className={styles.main}>
        <section aria-label="Queue" className={styles.queue}>
          {urgent && <NoticeList noticeId={noticeId} />}
          <QueueTools searchRef={search} />
          <QueueList cases={cases} caseId={caseId} move={move} />
          {!urgent && <NoticeList noticeId={noticeId} />}
        </section>
        <section aria-label="Case" className={styles.case}>
          {isOpen && (
            <Link to="/moderation" className={caseStyles.back}>
              Back to the queue
            </Link>
          )}
          <Part caseId={caseId} noticeId={noticeId} part={part} />
        </section>
      </main>
    </div>
  )
}

function Part({ caseId, noticeId, part }: ConsoleProps) {
  if (part === 'words') return <WordsView />
  if (part === 'preservations') return <PreservationsView />
  if (noticeId !== null) return <NoticeView key={noticeId} />
  if (caseId !== null) return <CaseView key={caseId} />
  return (
    <p className={styles.nothing}>
      Choose a case. <kbd>j</kbd> and <kbd>k</kbd> go through the queue, <kbd>/</kbd> searches.
    </p>
  )
}

/** The error note. The live region is rendered before its text, because screen readers announce only changes in it. */
function Note() {
  const store = useConsole()
  return (
    <div role="alert" className={styles.notes}>
      {store.note.value && (
        <p className={styles.note}>
          <WarningIcon />
          <span>{store.note.value}</span>
          <Button variant="plain" onClick={store.dismiss}>
            Close
          </Button>
        </p>
      )}
    </div>
  )
}

/** Shows statistics of open cases and of the decisions of the last days. */
function StatisticsStrip() {
  const statistics = useConsole().statistics.value
  if (!statistics) return <div className={styles.statistics} />
  const { open, appeals, overdue, oldestAt, days, decided, upheld, medianMs } = statistics
  const share = decided === 0 ? '–' : `${Math.round((upheld / decided) * 100)} %`
  const most = Math.max(1, ...days.map((day) => day.decided))
  return (
    <dl className={styles.statistics} aria-label="Statistics">
      <Statistic name="Open" value={String(open)} />
      <Statistic name="Appeals" value={String(appeals)} />
      <Statistic name="Overdue" value={String(overdue)} />
      <Statistic name="Oldest" value={oldestAt === null ? '–' : spanText(Date.now() - oldestAt)} />
      <Statistic name={`Decided in ${days.length} days`} value={String(decided)} />
      <Statistic name="Upheld" value={share} />
      <Statistic name="Median time" value={medianMs === null ? '–' : spanText(medianMs)} />
      <div className={styles.statistic}>
        <dt className="visually-hidden">Decided per day</dt>
        <dd>
          <svg viewBox={`0 0 ${days.length * 8} 32`} className={styles.chart} role="img" aria-label={chartText(days)}>
            {days.map(({ day, decided: count }, index) => (
              <rect
                key={day}
                x={index * 8 + 1}
                width="6"
                y={31 - (30 * count) / most}
                height={(30 * count) / most + 1}
                fill="currentColor"
              />
            ))}
          </svg>
        </dd>
      </div>
    </dl>
  )
}

function chartText(days: readonly { day: string; decided: number }[]): string {
  return `Decided per day: ${days.map(({ day, decided }) => `${day} ${decided}`).join(', ')}`
}

function Statistic({ name, value }: { name: string; value: string }) {
  return (
    <div className={styles.statistic}>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  )
}
