import { type FormEvent, type KeyboardEvent, useRef } from 'react'
import { CHAT_MESSAGE_MAX } from '#protocol/constants.ts'
import { usePlatform } from '../../platform/use-platform.ts'
import { useTexts } from '../../platform/use-texts.ts'
import { Button } from '../../ui/button.tsx'
import { isComposing } from '../../ui/members/is-composing.ts'
import { useCall } from '../use-call.ts'
import styles from './composer.module.css'

export function Composer() {
  const { chat, typing } = useCall()
  const { toasts } = usePlatform()
  const t = useTexts()
  const box = useRef<HTMLTextAreaElement>(null)

  /** A text that is too long stays. A `maxLength` would cut a pasted one without a word. */
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
      <Button type="submit" look="quiet" className={styles.send} onPointerDown={(event) => event.preventDefault()}>
        {t('call.send')}
      </Button>
    </form>
  )
}
