import { useComputed } from '@preact/signals-react'
import { type FormEvent, type KeyboardEvent, memo, useEffect, useRef } from 'react'
import { CHAT_MESSAGE_MAX } from '#protocol/constants.ts'
import { useAccount } from '../../account/use-account.ts'
import { usePlatform } from '../../platform/use-platform.ts'
import { useTexts } from '../../platform/use-texts.ts'
import { Button } from '../../ui/button.tsx'
import { Avatar } from '../../ui/members/avatar.tsx'
import { isComposing } from '../../ui/members/is-composing.ts'
import { Rich } from '../../ui/rich.tsx'
import type { ChatMessage } from '../state/chat.ts'
import { useCall } from '../use-call.ts'
import styles from './chat-panel.module.css'
import { PeerName, SharedNote } from './peer.tsx'
import { useHubTrouble } from './use-hub-trouble.ts'

/** The chat beside or below the picture. On wide screens it also shows the name of this user. */
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
            <Button variant="quiet" onClick={() => call.dispatch({ type: 'reconnect-pressed' })}>
              {t('call.reconnect')}
            </Button>
          )}
        </div>
      )}
      <Composer />
    </aside>
  )
}

const SCROLL_DELAY_MS = 100
/** Distance from its end within which the list scrolls to a new message. */
const NEAR_END_PX = 48

/** Matches a text of one to three emoji and nothing else. Such a text is shown large. */
const FEW_EMOJI =
  /^(?:\s*\p{Extended_Pictographic}(?:\p{Emoji_Modifier}|\uFE0F|\u200D\p{Extended_Pictographic})*){1,3}$/u

/** Makes the list focusable, so that the keyboard can scroll it. */
const reachable = { tabIndex: 0 }

function ChatList() {
  const { call, chat } = useCall()
  const t = useTexts()
  const messages = chat.messages.value
  const list = useFollowing(messages.length, messages.at(-1)?.isPeer === false)
  return (
    <div ref={list} role="log" aria-label={t('call.chat')} {...reachable} className={styles.list}>
      <SharedNote className={styles.shared} />
      {messages.length === 0 && call.phase.value !== 'warned' && (
        <p className={styles.empty}>
          <Rich text={t('call.say-hello')} tags={{ name: () => <PeerName /> }} />
        </p>
      )}
      {messages.map((message) => (
        <MessageRow key={`${message.isPeer}-${message.id}`} message={message} retry={chat.retry} />
      ))}
    </div>
  )
}

type MessageRowProps = { message: ChatMessage; retry: (id: string) => void }

const MessageRow = memo(function MessageRow({ message, retry }: MessageRowProps) {
  const t = useTexts()
  const { delivery, id, isPeer } = message
  return (
    <div className={styles.row} data-from={isPeer ? 'peer' : 'self'} data-delivery={delivery}>
      <span className="visually-hidden">{t(isPeer ? 'call.from-peer' : 'call.from-self')}</span>
      <p className={styles.bubble} data-emoji={FEW_EMOJI.test(message.message) || undefined} dir="auto">
        {message.message}
      </p>
      {!isPeer && delivery !== 'failed' && (
        <svg className={styles.mark} viewBox="0 0 16 16" aria-hidden="true">
          <path
            d={
              delivery === 'sent'
                ? 'm3 8.5 3.5 3.5L13 4.5'
                : 'M8 4v4l2.5 2M8 1.8a6.2 6.2 0 1 1 0 12.4A6.2 6.2 0 0 1 8 1.8'
            }
          />
        </svg>
      )}
      {delivery === 'failed' && (
        <p className={styles.failed}>
          <span>{t('call.not-delivered')}</span>
          <button type="button" className={styles.retry} onClick={() => retry(id)}>
            {t('call.try-again')}
          </button>
        </p>
      )}
    </div>
  )
})

/** Scrolls the list to its end after each message, unless the user has scrolled up. */
function useFollowing(count: number, own: boolean) {
  const list = useRef<HTMLDivElement>(null)
  const following = useRef(true)

  useEffect(() => {
    const element = list.current
    if (!element) return
    let before = element.scrollTop
    function follow(): void {
      if (following.current && element) element.scrollTop = element.scrollHeight
    }
    function scrolled(): void {
      if (!element) return
      const { scrollTop, scrollHeight, clientHeight } = element
      if (scrollHeight - scrollTop - clientHeight < NEAR_END_PX) following.current = true
      else if (scrollTop < before) following.current = false
      before = scrollTop
    }
    let height = element.clientHeight
    // The on-screen keyboard, turning the phone and a growing text field change the height. A scrollbar changes only the width.
    const resized = new ResizeObserver(() => {
      if (element.clientHeight !== height) follow()
      height = element.clientHeight
    })
    resized.observe(element)
    element.addEventListener('scroll', scrolled, { passive: true })
    return () => {
      resized.disconnect()
      element.removeEventListener('scroll', scrolled)
    }
  }, [])

  useEffect(() => {
    if (count === 0) return
    if (own) following.current = true
    const timer = setTimeout(() => {
      if (following.current) list.current?.scrollTo({ top: list.current.scrollHeight })
    }, SCROLL_DELAY_MS)
    return () => clearTimeout(timer)
  }, [count, own])

  return list
}

/** Says that the peer is typing, in a line that always takes space. Announced each time the peer begins. */
function TypingNote() {
  const { typing } = useCall()
  const t = useTexts()
  return (
    <p aria-live="polite" className={styles.note}>
      {typing.isPeerTyping.value && (
        <span className={styles.text}>
          <Rich text={t('call.typing')} tags={{ name: () => <PeerName /> }} />
        </span>
      )}
    </p>
  )
}

function Composer() {
  const { chat, typing } = useCall()
  const { toasts } = usePlatform()
  const t = useTexts()
  const box = useRef<HTMLTextAreaElement>(null)

  /** A text that is too long stays in the field, and a toast says so. A `maxLength` would cut it silently. */
  function send(): void {
    if (!box.current) return
    const { length } = box.current.value.trim()
    if (length > CHAT_MESSAGE_MAX) toasts.show('toasts.message-too-long', { max: CHAT_MESSAGE_MAX, length })
    else if (chat.send(box.current.value)) box.current.value = ''
  }

  function submit(event: FormEvent): void {
    event.preventDefault()
    send()
  }

  function press(event: KeyboardEvent): void {
    if (event.key !== 'Enter' || event.shiftKey || isComposing(event)) return
    event.preventDefault()
    send()
  }

  return (
    <form className={styles.composer} onSubmit={submit}>
      <textarea
        ref={box}
        className={styles.box}
        aria-label={t('call.message')}
        placeholder={t('call.write')}
        rows={1}
        enterKeyHint="send"
        dir="auto"
        onKeyDown={press}
        onInput={({ currentTarget }) => currentTarget.value.trim() !== '' && typing.typed()}
      />
      {/* If the button took the focus, the on-screen keyboard would close after every message. */}
      <Button type="submit" variant="quiet" className={styles.send} onPointerDown={(event) => event.preventDefault()}>
        {t('call.send')}
      </Button>
    </form>
  )
}
