import { useTexts } from '../../platform/use-texts.ts'
import { Button } from '../../ui/button.tsx'
import { Panel } from '../../ui/members/panel.tsx'
import { useFocusReturn } from '../../ui/use-focus-return.ts'
import { useLobby } from '../use-lobby.ts'

/** Shown while the status could not be read. It is read again automatically, and when the button is pressed. */
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
