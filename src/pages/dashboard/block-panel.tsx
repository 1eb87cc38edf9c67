import type { ReactNode } from 'react'
import { Link } from 'react-router-dom'
import { Button } from '../../parts/button.tsx'
import { Rich } from '../../parts/rich.tsx'
import { useTexts } from '../../parts/use-texts.ts'
import { useStores } from '../../stores/stores.ts'
import styles from './block-panel.module.css'

type Weight = 'warn' | 'bad' | 'good'

/** What moderation has decided, which rule it stands on, what comes next and until when. Nothing while all is well. */
export function BlockPanel() {
  const { lobby } = useStores()
  const t = useTexts()
  switch (lobby.status.value) {
    case 'Warning':
      return (
        <Panel weight="warn" title={t('dashboard.warning.title')}>
          <WithGuidelines text={t('dashboard.warning.text')} />
        </Panel>
      )
    case 'Appeal':
      return (
        <Panel weight="warn" title={t('dashboard.appeal.title')}>
          <WithGuidelines text={t('dashboard.appeal.text')} />
          <p>{t('dashboard.appeal.next')}</p>
          <AppealButton />
        </Panel>
      )
    case 'InReview':
      return lobby.appealed.value ? (
        <Panel weight="good" title={t('dashboard.appealed.title')}>
          <p>{t('dashboard.appealed.text')}</p>
        </Panel>
      ) : (
        <Panel weight="warn" title={t('dashboard.review.title')}>
          <WithGuidelines text={t('dashboard.review.text')} />
        </Panel>
      )
    case 'Blocked':
      return (
        <Panel weight="bad" title={t('dashboard.blocked.title')}>
          <WithGuidelines text={t('dashboard.blocked.text')} />
        </Panel>
      )
    default:
      return null
  }
}

function AppealButton() {
  const { lobby } = useStores()
  const t = useTexts()
  const busy = lobby.appealing.value
  return (
    <Button look="quiet" disabled={busy} onClick={() => void lobby.appeal()}>
      {t(busy ? 'dashboard.appeal.submitting' : 'dashboard.appeal.submit')}
    </Button>
  )
}

/** A paragraph that links to the rules. */
function WithGuidelines({ text }: { text: string }) {
  return (
    <p>
      <Rich text={text} tags={{ guidelines: (words) => <Link to="/terms-of-service">{words}</Link> }} />
    </p>
  )
}

const signs: Record<Weight, ReactNode> = {
  good: <path d="m6.5 12.5 3.5 3.5 7.5-8" />,
  warn: <path d="M12 6.5v7m0 3.4v.1" />,
  bad: <path d="m8 8 8 8m0-8-8 8" />,
}

function Panel({ weight, title, children }: { weight: Weight; title: string; children: ReactNode }) {
  return (
    <div className={styles.panel} role="status" data-weight={weight}>
      <svg className={styles.sign} viewBox="0 0 24 24" aria-hidden="true">
        <circle cx="12" cy="12" r="10.5" />
        {signs[weight]}
      </svg>
      <h2 className={styles.title}>{title}</h2>
      <div className={styles.words}>{children}</div>
    </div>
  )
}
