import { useEffect, useRef } from 'react'
import { Link, useNavigate } from 'react-router-dom'
import { Button } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { WarningIcon } from '../../ui/icons.tsx'
import { Logo } from '../../ui/logo.tsx'
import { CaseView } from './case-view.tsx'
import styles from './console.module.css'
import { useConsole } from './context.ts'
import { NoticeList, useUrgentNotices } from './notice-list.tsx'
import { NoticeView } from './notice-view.tsx'
import { PreservationsView } from './preservations-view.tsx'
import { QueueList } from './queue-list.tsx'
import { QueueTools } from './queue-tools.tsx'
import { StatisticsStrip } from './statistics-strip.tsx'
import { timeText } from './texts.ts'
import { useKeys } from './use-keys.ts'
import { WordsView } from './words-view.tsx'

/** What is shown in place of a case. */
export type ConsolePart = 'words' | 'preservations'
type ConsoleProps = { caseId: string | null; noticeId: string | null; part: ConsolePart | null }

/** The queue and the case side by side; on narrow screens one of them. */
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
          <Button look="plain" onClick={() => void store.logOut()}>
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
          {part === 'words' ? (
            <WordsView />
          ) : part === 'preservations' ? (
            <PreservationsView />
          ) : noticeId !== null ? (
            <NoticeView key={noticeId} />
          ) : caseId === null ? (
            <p className={styles.nothing}>
              Choose a case. <kbd>j</kbd> and <kbd>k</kbd> go through the queue, <kbd>/</kbd> searches.
            </p>
          ) : (
            <CaseView key={caseId} />
          )}
        </section>
      </main>
    </div>
  )
}

/** The live region is rendered before its text, because screen readers announce only changes in it. */
function Note() {
  const store = useConsole()
  return (
    <div role="alert" className={styles.notes}>
      {store.note.value && (
        <p className={styles.note}>
          <WarningIcon />
          <span>{store.note.value}</span>
          <Button look="plain" onClick={store.dismiss}>
            Close
          </Button>
        </p>
      )}
    </div>
  )
}
