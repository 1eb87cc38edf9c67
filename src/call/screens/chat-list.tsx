import { memo, useEffect, useRef } from 'react'
import { useTexts } from '../../platform/use-texts.ts'
import { Rich } from '../../ui/rich.tsx'
import type { ChatMessage } from '../state/chat.ts'
import { useCall } from '../use-call.ts'
import styles from './chat-list.module.css'
import { PeerName } from './peer-name.tsx'
import { SharedNote } from './shared-note.tsx'

const SCROLL_DELAY_MS = 100
/** The list scrolls to a new message if it is within this distance of its end. */
const NEAR_END_PX = 48

/** Matches one to three emoji and nothing else, which are shown large. */
const FEW_EMOJI =
  /^(?:\s*\p{Extended_Pictographic}(?:\p{Emoji_Modifier}|\uFE0F|\u200D\p{Extended_Pictographic})*){1,3}$/u

/** The list must be focusable to be scrolled by keyboard. */
const reachable = { tabIndex: 0 }

export function ChatList() {
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

/** Scrolls to the end of the list after each message, unless the user has scrolled up. */
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
    // The on-screen keyboard, a turned phone and a growing text box change the height; a scrollbar changes only the width.
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
