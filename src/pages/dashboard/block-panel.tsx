import { Link } from 'react-router-dom'
import { Button } from '../../parts/button.tsx'
import { Rich } from '../../parts/rich.tsx'
import { useTexts } from '../../parts/use-texts.ts'
import { useStores } from '../../stores/stores.ts'
import { CaseFacts } from './case-facts.tsx'
import { Panel } from './panel.tsx'

/** The decision of moderation, its rule, the next step and its end. Renders nothing for an unrestricted user. */
export function BlockPanel() {
  const { lobby } = useStores()
  const t = useTexts()
  switch (lobby.status.value) {
    case 'Warning':
      return (
        <Panel weight="warn" title={t('dashboard.warning.title')}>
          <WithGuidelines text={t('dashboard.warning.text')} />
          <CaseFacts />
        </Panel>
      )
    case 'Appeal':
      return (
        <Panel weight="warn" title={t('dashboard.appeal.title')}>
          <WithGuidelines text={t('dashboard.appeal.text')} />
          <p>{t('dashboard.appeal.next')}</p>
          <CaseFacts />
          <AppealButton />
        </Panel>
      )
    case 'InReview':
      return lobby.appealed.value ? (
        <Panel weight="good" title={t('dashboard.appealed.title')}>
          <p>{t('dashboard.appealed.text')}</p>
          <CaseFacts />
        </Panel>
      ) : (
        <Panel weight="warn" title={t('dashboard.review.title')}>
          <WithGuidelines text={t('dashboard.review.text')} />
          <CaseFacts />
        </Panel>
      )
    case 'Blocked':
      return (
        <Panel weight="bad" title={t('dashboard.blocked.title')}>
          <WithGuidelines text={t('dashboard.blocked.text')} />
          <CaseFacts />
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
    <Button disabled={busy} onClick={() => void lobby.appeal()}>
      {t(busy ? 'dashboard.appeal.submitting' : 'dashboard.appeal.submit')}
    </Button>
  )
}

/** A paragraph with a link to the guidelines. */
function WithGuidelines({ text }: { text: string }) {
  return (
    <p>
      <Rich text={text} tags={{ guidelines: (words) => <Link to="/terms-of-service">{words}</Link> }} />
    </p>
  )
}
