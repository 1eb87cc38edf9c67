import { useComputed } from '@preact/signals-react'
import { Avatar } from '../../parts/avatar.tsx'
import { useStores } from '../../stores/stores.ts'
import { ChatList } from './chat-list.tsx'
import styles from './chat-panel.module.css'
import { Composer } from './composer.tsx'

const UNNAMED_SELF = 'Me'

/** The conversation beside or under the picture, with who one is on wide screens. */
export function ChatPanel() {
  const { account, hub } = useStores()
  const nickName = useComputed(() => account.nickName.value || UNNAMED_SELF)
  return (
    <aside className={styles.panel} aria-label="Text chat">
      <header className={styles.self}>
        <Avatar src={account.picture.value} alt="" className={styles.avatar} />
        <p className={styles.name}>{nickName}</p>
      </header>
      <ChatList />
      {hub.state.value === 'reconnecting' && (
        <p role="status" className={styles.hub}>
          Text chat is reconnecting. The call goes on.
        </p>
      )}
      <Composer />
    </aside>
  )
}
