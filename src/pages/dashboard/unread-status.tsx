import { Button } from '../../parts/button.tsx'
import { useFocusReturn } from '../../parts/use-focus-return.ts'
import { useTexts } from '../../parts/use-texts.ts'
import { useStores } from '../../stores/stores.ts'
import { Panel } from './panel.tsx'

/** Shown while the status could not be read; it is read again by itself, and by the button. */
export function UnreadStatus() {
  const { lobby } = useStores()
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
