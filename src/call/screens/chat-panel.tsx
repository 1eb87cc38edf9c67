import { useComputed } from '@preact/signals-react'
import { useAccount } from '../../account/use-account.ts'
import { useTexts } from '../../platform/use-texts.ts'
import { Button } from '../../ui/button.tsx'
import { Avatar } from '../../ui/members/avatar.tsx'
import { useCall } from '../use-call.ts'
import { ChatList } from './chat-list.tsx'
import styles from './chat-panel.module.css'
import { Composer } from './composer.tsx'
import { TypingNote } from './typing-note.tsx'
import { useHubTrouble } from './use-hub-trouble.ts'

/** The chat beside or below the picture; on wide screens it also shows the user's own name. */
export function ChatPanel() {
  const { account } = useAccount()
  const { call } = useCall()
  const t = useTexts()
  const trouble = useHubTrouble()
  const nickName = useComputed(() => account.nickName.value || t('call.unnamed-self'))
  return (
    <aside className={styles.panel} aria-label={t('call.text-chat')}>
      <header className={styles.self}>
        <Avatar src={account.picture.value} alt="" className={styles.avatar} />
        <p className={styles.name}>{nickName}</p>
      </header>
      <ChatList />
      <TypingNote />
      {trouble && (
        <div className={styles.hub}>
          <p role="status">{t(`call.hub.${trouble}`)}</p>
          {trouble === 'lost' && (
            <Button look="quiet" onClick={() => call.dispatch({ type: 'reconnect-pressed' })}>
              {t('call.reconnect')}
            </Button>
          )}
        </div>
      )}
      <Composer />
    </aside>
  )
}
