import { type ReadonlySignal, signal } from '@preact/signals-react'
import { CHAT_MESSAGE_MAX } from '#protocol/constants.ts'
import type { ChatCodec, Log } from '../domain/ports.ts'

export type ChatMessage = {
  id: string
  message: string
  isPeer: boolean
  /** Of an own message: on its way, taken by the peer's connection, or not delivered. */
  delivery: 'sending' | 'sent' | 'failed'
}

export type ChatPorts = {
  codec: ChatCodec
  /** Hands the encoded text to the peer of the current session; rejects with `not-delivered`. */
  deliver: (encoded: string, id: string) => Promise<void>
  newId: () => string
  log: Log
}

export type ChatStore = ReturnType<typeof createChatStore>

/** The conversation of the current session; nothing of it is kept anywhere else. */
export function createChatStore({ codec, deliver, newId, log }: ChatPorts) {
  const messages = signal<readonly ChatMessage[]>([])
  /** Coding takes a trip to a worker; chaining keeps each direction in its order. */
  let outgoing = Promise.resolve()
  let incoming = Promise.resolve()
  let conversation = 0

  function setDelivery(id: string, delivery: ChatMessage['delivery']): void {
    messages.value = messages.peek().map((message) => (message.id === id ? { ...message, delivery } : message))
  }

  /** Only the coding is waited for by the next message, not the trip to the peer and back. */
  function transmit(id: string, text: string): void {
    function failed(thrown: unknown): void {
      log.error('A chat message was not delivered', thrown)
      setDelivery(id, 'failed')
    }
    const sent = conversation
    outgoing = outgoing.then(async () => {
      try {
        const encoded = await codec.encodeChat(text)
        // What was written to one person must not reach the next.
        if (sent === conversation) deliver(encoded, id).then(() => setDelivery(id, 'sent'), failed)
      } catch (thrown) {
        failed(thrown)
      }
    })
  }

  return {
    messages: messages as ReadonlySignal<readonly ChatMessage[]>,

    /** Trims and sends; false for an empty or too long text, which is not sent. */
    send(typed: string): boolean {
      const text = typed.trim()
      if (text === '' || text.length > CHAT_MESSAGE_MAX) return false
      const id = newId()
      messages.value = [...messages.peek(), { id, message: text, isPeer: false, delivery: 'sending' }]
      transmit(id, text)
      return true
    },

    /** Sends an own message again that was not delivered. */
    retry(id: string): void {
      const failed = messages.peek().find((message) => message.id === id && message.delivery === 'failed')
      if (!failed) return
      setDelivery(id, 'sending')
      transmit(id, failed.message)
    },

    /** Takes an encoded message of the peer; one whose id was shown before is shown once. */
    receive(encoded: string, id: string = newId()): void {
      const received = conversation
      incoming = incoming.then(async () => {
        const message = await codec.decodeChat(encoded)
        const current = messages.peek()
        if (received !== conversation || current.some((shown) => shown.isPeer && shown.id === id)) return
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
