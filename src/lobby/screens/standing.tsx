import { Fragment, type ReactNode, useEffect } from 'react'
import { Link } from 'react-router-dom'
import { mayChat } from '#protocol/block-status.ts'
import type { ReviewOutcome } from '#protocol/moderation.ts'
import { formatTime } from '../../platform/texts/formats.ts'
import { usePlatform } from '../../platform/use-platform.ts'
import { useTexts } from '../../platform/use-texts.ts'
import { Button } from '../../ui/button.tsx'
import { Rich } from '../../ui/rich.tsx'
import { useFocusReturn } from '../../ui/use-focus-return.ts'
import { useLobby } from '../use-lobby.ts'
import { blockWords, caseWords } from './block-words.ts'
import styles from './standing.module.css'

/** Shows the moderators' decision, its cause, rule and end, and the next step. Empty for an unrestricted user. */
export function BlockPanel() {
  const { lobby } = useLobby()
  const t = useTexts()
  const status = lobby.status.value
  if (status === null || status === 'Valid') return null
  const heading = mayChat(status) ? 'h2' : 'h1'
  if (status === 'InReview' && lobby.appealed.value) {
    return (
      <Panel weight="good" heading={heading} title={t('dashboard.appealed.title')}>
        <p>{t('dashboard.appealed.text')}</p>
        <CaseFacts />
      </Panel>
    )
  }
  const { title, text } = blockWords(status, lobby.blockCase.value?.what ?? null)
  return (
    <Panel weight={status === 'Blocked' ? 'bad' : 'warn'} heading={heading} title={t(title)}>
      <p>
        <Rich text={t(text)} tags={{ guidelines: (words) => <Link to="/terms-of-service">{words}</Link> }} />
      </p>
      {status === 'Appeal' && <p>{t('dashboard.appeal.next')}</p>}
      <CaseFacts />
      {status === 'Appeal' && <AppealButton />}
    </Panel>
  )
}

function AppealButton() {
  const { lobby } = useLobby()
  const t = useTexts()
  const busy = lobby.appealing.value
  return (
    <Button disabled={busy} onClick={() => void lobby.appeal()}>
      {t(busy ? 'dashboard.appeal.submitting' : 'dashboard.appeal.submit')}
    </Button>
  )
}

/** Shows cause, decider, rule, next step and end of the current status. Renders nothing without a case. */
function CaseFacts() {
  const { lobby } = useLobby()
  const t = useTexts()
  const known = lobby.blockCase.value
  if (!known) return null
  return (
    <dl className={styles.facts}>
      {caseWords(known).map(([term, fact]) => (
        <Fragment key={term}>
          <dt>{t(term)}</dt>
          <dd>{t(fact)}</dd>
        </Fragment>
      ))}
      <dt>{t('cases.since')}</dt>
      <dd>
        <Day at={known.since} />
      </dd>
      <dt>{t('cases.until')}</dt>
      <dd>{known.until === null ? t('cases.for-good') : <Day at={known.until} />}</dd>
    </dl>
  )
}

function Day({ at }: { at: number }) {
  const { texts } = usePlatform()
  return <time dateTime={new Date(at).toISOString()}>{formatTime(texts.language.value, at)}</time>
}

const weights: Record<ReviewOutcome, Weight> = {
  restored: 'good',
  warned: 'warn',
  suspended: 'warn',
  blocked: 'bad',
  ended: 'good',
  late: 'warn',
}

/** Says how the last restriction ended, during one visit of the dashboard. */
export function CaseNotice() {
  const { lobby } = useLobby()
  const t = useTexts()
  const { noticeSeen } = lobby
  const notice = lobby.notice.value

  useEffect(() => {
    if (notice) noticeSeen()
  }, [notice, noticeSeen])

  if (!notice) return null
  return (
    <Panel weight={weights[notice.outcome]} title={t(`cases.outcome.${notice.outcome}`)}>
      <p>{t(`cases.outcome.${notice.outcome}.text`)}</p>
    </Panel>
  )
}

/** Shown after the status could not be read. The store reads it again by itself, the button at once. */
export function UnreadStatus() {
  const { lobby } = useLobby()
  const t = useTexts()
  const busy = lobby.reading.value
  useFocusReturn(busy)
  return (
    <Panel weight="warn" heading="h1" title={t('dashboard.unread.title')}>
      <p>{t('dashboard.unread.text')}</p>
      <Button disabled={busy} onClick={lobby.readAgain}>
        {t(busy ? 'dashboard.unread.trying' : 'dashboard.unread.again')}
      </Button>
    </Panel>
  )
}

type Weight = 'warn' | 'bad' | 'good'

const signs: Record<Weight, ReactNode> = {
  good: <path d="m6.5 12.5 3.5 3.5 7.5-8" />,
  warn: <path d="M12 6.5v7m0 3.4v.1" />,
  bad: <path d="m8 8 8 8m0-8-8 8" />,
}

type PanelProps = {
  weight: Weight
  title: string
  /** Use `h1` for a panel that is the whole screen. */
  heading?: 'h1' | 'h2'
  children: ReactNode
}

/** A message about the user's account, with an icon for its severity. */
function Panel({ weight, title, heading: Heading = 'h2', children }: PanelProps) {
  return (
    <div className={styles.panel} role="status" data-weight={weight}>
      <svg className={styles.sign} viewBox="0 0 24 24" aria-hidden="true">
        <circle cx="12" cy="12" r="10.5" />
        {signs[weight]}
      </svg>
      <Heading className={styles.title}>{title}</Heading>
      <div className={styles.words}>{children}</div>
    </div>
  )
}
