import { Link } from 'react-router-dom'
import { mayChat } from '#protocol/block-status.ts'
import { Button } from '../../parts/button.tsx'
import { Rich } from '../../parts/rich.tsx'
import { useTexts } from '../../parts/use-texts.ts'
import { useStores } from '../../stores/stores.ts'
import { blockWords } from './block-words.ts'
import { CaseFacts } from './case-facts.tsx'
import { Panel } from './panel.tsx'

/** The decision of moderation, its cause and rule, the next step and its end. Renders nothing for an unrestricted user. */
export function BlockPanel() {
  const { lobby } = useStores()
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
  const { lobby } = useStores()
  const t = useTexts()
  const busy = lobby.appealing.value
  return (
    <Button disabled={busy} onClick={() => void lobby.appeal()}>
      {t(busy ? 'dashboard.appeal.submitting' : 'dashboard.appeal.submit')}
    </Button>
  )
}
