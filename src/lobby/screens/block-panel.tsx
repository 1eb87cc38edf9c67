import { Link } from 'react-router-dom'
import { mayChat } from '#protocol/block-status.ts'
import { useTexts } from '../../platform/use-texts.ts'
import { Button } from '../../ui/button.tsx'
import { Panel } from '../../ui/members/panel.tsx'
import { Rich } from '../../ui/rich.tsx'
import { useLobby } from '../use-lobby.ts'
import { blockWords } from './block-words.ts'
import { CaseFacts } from './case-facts.tsx'

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
