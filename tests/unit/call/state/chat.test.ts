import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { AppError } from '#protocol/errors.ts'
import { createChatStore } from '../../../../src/call/state/chat.ts'
import { silentLog } from '../../../support/silent-log.ts'
import { waitFor } from '../../../support/wait-for.ts'

type ChatCodec = ReturnType<Parameters<typeof createChatStore>[0]['codec']>

/** A codec whose results arrive in an order that the test chooses. */
function slowCodec() {
  const trips: (() => void)[] = []
  const trip = (text: string) => new Promise<string>((resolve) => trips.push(() => resolve(text)))
  const codec: ChatCodec = { encodeChat: (text) => trip(`<${text}>`), decodeChat: (text) => trip(text.slice(1, -1)) }
  return { codec, trips }
}

const quick: ChatCodec = { encodeChat: async (text) => `<${text}>`, decodeChat: async (text) => text.slice(1, -1) }

function store(codec: ChatCodec = quick, deliver: (encoded: string, id: string) => Promise<void> = async () => {}) {
  let ids = 0
  return createChatStore({ codec: () => codec, deliver, newId: () => `m${++ids}`, log: silentLog() })
}

describe('sending', () => {
  test('trims, shows at once, and marks the message when the peer has it', async () => {
    const chat = store()
    expect(chat.send('  hello \n')).toBe(true)
    expect(chat.messages.value).toEqual([{ id: 'm1', message: 'hello', isPeer: false, delivery: 'sending' }])
    await waitFor(() => expect(chat.messages.value[0]?.delivery).toBe('sent'))
  })

  test('an empty or too long text is not sent', () => {
    const chat = store()
    expect([chat.send(' \n '), chat.send('x'.repeat(2001)), chat.send('x'.repeat(2000))]).toEqual([false, false, true])
    expect(chat.messages.value).toHaveLength(1)
  })

  test('keeps the order, and a slow delivery does not delay the next message', async () => {
    const delivered: string[] = []
    const chat = store(quick, (encoded) => {
      delivered.push(encoded)
      return new Promise(() => {})
    })
    for (const text of ['a', 'b', 'c']) chat.send(text)
    await waitFor(() => expect(delivered).toEqual(['<a>', '<b>', '<c>']))
  })

  test('a message that was not delivered can be sent again under the same id', async () => {
    const sent: string[] = []
    const chat = store(quick, async (_, id) => {
      sent.push(id)
      if (sent.length === 1) throw new AppError('not-delivered')
    })
    chat.send('hello')
    await waitFor(() => expect(chat.messages.value[0]?.delivery).toBe('failed'))
    chat.retry('m1')
    await waitFor(() => expect(chat.messages.value[0]?.delivery).toBe('sent'))
    expect(sent).toEqual(['m1', 'm1'])
    chat.retry('m1')
    expect(sent).toHaveLength(2)
  })
})

test('a message that is being encoded when the match ends does not reach the next peer', async () => {
  const { codec, trips } = slowCodec()
  const delivered: string[] = []
  const chat = store(codec, async (encoded) => void delivered.push(encoded))
  chat.send('for the first')
  await waitFor(() => expect(trips).toHaveLength(1))
  chat.clear()
  chat.send('for the second')
  trips[0]?.()
  await waitFor(() => expect(trips).toHaveLength(2))
  trips[1]?.()
  await waitFor(() => expect(delivered).toEqual(['<for the second>']))
})

describe('receiving', () => {
  test('shows messages in the order of arrival, each id once', async () => {
    const ids = fc.array(fc.constantFrom('a', 'b', 'c', 'd', 'e'), { maxLength: 12 })
    await fc.assert(
      fc.asyncProperty(ids, async (arriving) => {
        const chat = store()
        for (const id of arriving) chat.receive(`<${id}>`, id)
        const expected = [...new Set(arriving)]
        const shown = () => chat.messages.value.map(({ message }) => message)
        // The default poll interval of 50 ms would be most of the test's time.
        await waitFor(() => expect(shown()).toEqual(expected))
      }),
    )
  })

  test('a message that is being decoded when the match ends is not shown in the next one', async () => {
    const { codec, trips } = slowCodec()
    const chat = store(codec)
    chat.receive('<late>', 'p1')
    await waitFor(() => expect(trips).toHaveLength(1))
    chat.clear()
    chat.receive('<new>', 'p2')
    trips[0]?.()
    await waitFor(() => expect(trips).toHaveLength(2))
    trips[1]?.()
    await waitFor(() => expect(chat.messages.value.map(({ message }) => message)).toEqual(['new']))
  })
})
