import { type ReadonlySignal, signal } from '@preact/signals-react'
import { CHAT_MESSAGE_MAX, TYPING_INTERVAL_MS, TYPING_SHOWN_MS } from '#protocol/constants.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Log } from '../../platform/log.ts'
import { canBeSeen, withoutSurplusMarks } from '../rules/chat-text.ts'

export type ChatMessage = {
  id: string
  message: string
  isPeer: boolean
  /** State of the delivery of an own message. */
  delivery: 'sending' | 'sent' | 'failed'
}

type ChatPorts = {
  /** Encodes and decodes in a worker. */
  codec: () => { encodeChat(text: string): Promise<string>; decodeChat(text: string): Promise<string> }
  /** Sends the encoded text to the peer of the current match; rejects with `not-delivered`. */
  deliver: (encoded: string, id: string) => Promise<void>
  newId: () => string
  log: Log
}

export type ChatStore = ReturnType<typeof createChatStore>

/** The chat of the current match. It is not stored anywhere. */
export function createChatStore({ codec, deliver, newId, log }: ChatPorts) {
  const messages = signal<readonly ChatMessage[]>([])
  /** The last operation of each direction. The chain keeps messages in order, which a worker encodes and decodes. */
  let outgoing = Promise.resolve()
  let incoming = Promise.resolve()
  let conversation = 0

  function setDelivery(id: string, delivery: ChatMessage['delivery']): void {
    messages.value = messages.peek().map((message) => (message.id === id ? { ...message, delivery } : message))
  }

  /** Encodes and sends a message. The next message waits for its encoding, not for its delivery. */
  function transmit(id: string, text: string): void {
    function failed(thrown: unknown): void {
      log.error('A chat message was not delivered', thrown)
      setDelivery(id, 'failed')
    }
    const sent = conversation
    outgoing = outgoing.then(async () => {
      try {
        const encoded = await codec().encodeChat(text)
        // A message of an earlier match must not reach the next peer.
        if (sent === conversation) deliver(encoded, id).then(() => setDelivery(id, 'sent'), failed)
      } catch (thrown) {
        failed(thrown)
      }
    })
  }

  return {
    messages: messages as ReadonlySignal<readonly ChatMessage[]>,

    /** Trims and sends the text. Returns false, and sends nothing, if the text is too long or shows nothing. */
    send(typed: string): boolean {
      const text = withoutSurplusMarks(typed.trim())
      if (!canBeSeen(text) || text.length > CHAT_MESSAGE_MAX) return false
      const id = newId()
      messages.value = [...messages.peek(), { id, message: text, isPeer: false, delivery: 'sending' }]
      transmit(id, text)
      return true
    },

    /** Resends an own message that was not delivered. */
    retry(id: string): void {
      const failed = messages.peek().find((message) => message.id === id && message.delivery === 'failed')
      if (!failed) return
      setDelivery(id, 'sending')
      transmit(id, failed.message)
    },

    /** Decodes and shows a message of the peer. Ignores a message that shows nothing or was shown before. */
    receive(encoded: string, id: string = newId()): void {
      const received = conversation
      incoming = incoming.then(async () => {
        const message = withoutSurplusMarks(await codec().decodeChat(encoded))
        const current = messages.peek()
        if (
          received !== conversation ||
          !canBeSeen(message) ||
          current.some((shown) => shown.isPeer && shown.id === id)
        )
          return
        messages.value = [...current, { id, message, isPeer: true, delivery: 'sent' }]
      })
      incoming = incoming.catch((thrown: unknown) => log.error('A chat message could not be read', thrown))
    },

    clear(): void {
      conversation += 1
      messages.value = []
    },
  }
}

export type TypingStore = ReturnType<typeof createTypingStore>

type Ports = {
  clock: Pick<Clock, 'now' | 'after'>
  /** Tells the peer of the current match that this user types, but not what. */
  tell: () => void
  /** True with the data saver: the peer is then not told. */
  isSaving: () => boolean
}

/** Shows that the peer types, and tells the peer that this user types. */
export function createTypingStore({ clock, tell, isSaving }: Ports) {
  const isPeerTyping = signal(false)
  let toldAt = Number.NEGATIVE_INFINITY
  let cancel = () => {}

  function forgetPeer(): void {
    cancel()
    isPeerTyping.value = false
  }

  return {
    /** True until `TYPING_SHOWN_MS` after the peer's last event, or until a message arrives. */
    isPeerTyping: isPeerTyping as ReadonlySignal<boolean>,

    /** Called when the user changes the text. Tells the peer at most once in `TYPING_INTERVAL_MS`. */
    typed(): void {
      const now = clock.now()
      if (isSaving() || now - toldAt < TYPING_INTERVAL_MS) return
      toldAt = now
      tell()
    },

    peerTyped(): void {
      cancel()
      isPeerTyping.value = true
      cancel = clock.after(TYPING_SHOWN_MS, forgetPeer)
    },

    forgetPeer,
  }
}
