import { describe, expect, test } from 'vitest'
import { matchedPair } from '../../support/hub/hub-client.ts'
import { hubForTest } from '../../support/hub/hub-test.ts'

const END = '\u001e'

describe('messages', () => {
  test('30: a completion has no result when done, an error when refused', async () => {
    const { connect } = await hubForTest()
    const client = await connect('ann')
    await client.join()
    await client.invokeAny('NoSuchMethod')
    const completions = client.messages.filter(({ type }) => type === 3)
    expect(completions).toEqual([
      { type: 3, invocationId: 'i1' },
      { type: 3, invocationId: 'i2', error: 'not-found: there is no such method' },
    ])
  })

  test('31: the text of a fault inside a method stays in the server, and the connection lives', async () => {
    const { url, faults, logged } = await hubForTest()
    const { caller, callee } = await matchedPair(url, 'ann', 'bob')
    faults.add('profile')
    const error = await caller.invoke('HandleUserNickNameAndUserEmailIdToPeer', callee.id, null, null)
    expect(error).toBe('unknown: something went wrong')
    expect(logged).toHaveLength(1)
    faults.clear()
    expect(await caller.invoke('HandleUserNickNameAndUserEmailIdToPeer', callee.id, null, null)).toBeNull()
  })

  test('32: an unknown method is an error and the connection lives', async () => {
    const { connect } = await hubForTest()
    const client = await connect('ann')
    expect(await client.invokeAny('__proto__')).toMatch(/^not-found: /)
    expect(await client.invokeAny('constructor')).toMatch(/^not-found: /)
    expect(await client.join()).toBeNull()
  })

  test('33: an invocation without an id is never completed', async () => {
    const { connect } = await hubForTest()
    const client = await connect('ann')
    client.send({ type: 1, target: 'NoSuchMethod', arguments: [] })
    client.send({ type: 1, target: 'InitiateMatchingWithPeers', arguments: [client.id, '[]'] })
    await client.settled()
    expect(client.messages.filter(({ type }) => type === 3)).toHaveLength(1)
  })

  test('34: many messages in one frame, and one over many frames, also cut inside a character', async () => {
    const { url } = await hubForTest()
    const { caller, callee, session } = await matchedPair(url, 'ann', 'bob')
    const chat = (text: string) => ({ type: 1, target: 'SendChatMessageToPeer', arguments: [session, callee.id, text] })
    caller.send(chat('one'), { type: 6 }, chat('two'))
    const bytes = Buffer.from(JSON.stringify(chat('three 🐝')) + END)
    for (let at = 0; at < bytes.length; at += 7) caller.socket.send(bytes.subarray(at, at + 7))
    await callee.event('OnChatMessage', 3)
    expect(callee.events('OnChatMessage').map(([, text]) => text)).toEqual(['one', 'two', 'three 🐝'])
  })

  test('35: the invocations of a connection run in order, also after a slow one', async () => {
    const { url } = await hubForTest()
    const { caller, callee, session } = await matchedPair(url, 'ann', 'bob')
    const names = caller.invoke('HandleUserNickNameAndUserEmailIdToPeer', callee.id, null, null)
    const chats = Array.from({ length: 50 }, (_, index) =>
      caller.invokeAny('SendChatMessageToPeer', session, callee.id, `${index}`),
    )
    expect(await Promise.all([names, ...chats])).toEqual(Array.from({ length: 51 }, () => null))
    const order = callee.messages.flatMap((message) => ('target' in message ? [message.target] : []))
    expect(order.slice(2, 4)).toEqual(['OnPeerNickNameAndEmailIdReceived', 'OnChatMessage'])
    expect(callee.events('OnChatMessage').map(([, text]) => text)).toEqual(chats.map((_, index) => `${index}`))
  })

  test('36: method names are case-insensitive', async () => {
    const { connect } = await hubForTest()
    const client = await connect('ann')
    expect(await client.invokeAny('initiateMATCHINGwithpeers', client.id, '[]')).toBeNull()
  })

  test('37: headers are ignored', async () => {
    const { connect } = await hubForTest()
    const client = await connect('ann')
    const invocation = { type: 1, invocationId: 'h', target: 'InitiateMatchingWithPeers', arguments: [client.id, '[]'] }
    client.send({ headers: { a: 'b' }, ...invocation })
    await client.until(() => client.messages.some(({ type }) => type === 3))
    expect(client.messages.at(-1)).toEqual({ type: 3, invocationId: 'h' })
  })

  test('38: an unknown type, a cancel, a stream item and a completion are ignored', async () => {
    const { connect } = await hubForTest()
    const client = await connect('ann')
    client.send({ type: 99 }, { type: 5, invocationId: 'x' }, { type: 2, invocationId: 'x', item: 1 })
    client.send({ type: 3, invocationId: 'x' })
    await client.settled()
    expect(client.messages.filter(({ type }) => type !== 1)).toHaveLength(2)
  })

  test('39 to 44: streams are refused and the connection lives', async () => {
    const { connect } = await hubForTest()
    const client = await connect('ann')
    client.send({ type: 4, invocationId: 's', target: 'InitiateMatchingWithPeers', arguments: [client.id, '[]'] })
    await client.until(() => client.messages.some(({ type }) => type === 3))
    expect(client.messages.at(-1)).toMatchObject({ invocationId: 's', error: expect.stringMatching(/^bad-request: /) })
    await client.settled()
  })

  test.each([
    ['no JSON', 'nonsense'],
    ['an empty message', ''],
    ['no object', '[]'],
    ['no type', '{}'],
    ['a type that is no number', '{"type":"1"}'],
    ['no arguments', '{"type":1,"target":"X"}'],
    ['arguments that are no list', '{"type":1,"target":"X","arguments":{}}'],
    ['a target that is no text', '{"type":1,"target":1,"arguments":[]}'],
    ['an invocation id that is no text', '{"type":1,"invocationId":1,"target":"X","arguments":[]}'],
  ])('45: %s is malformed: Close without a way back', async (_name, text) => {
    const { connect } = await hubForTest()
    const client = await connect('ann')
    client.raw(text + END)
    expect(await client.close()).toEqual({ type: 7, error: expect.any(String) })
    await client.closed
  })

  test('46: a message over 32 KB, whole or in parts, ends the connection; one below does not', async () => {
    const { connect } = await hubForTest()
    const padded = (size: number) => {
      const bare = JSON.stringify({ type: 1, target: 'X', arguments: [''] })
      return JSON.stringify({ type: 1, target: 'X', arguments: ['a'.repeat(size - bare.length)] })
    }
    const fine = await connect('ann')
    fine.raw(padded(32 * 1024) + END)
    await fine.settled()

    for (let count = 0; count < 3; count += 1) {
      const text = padded(20 * 1024) + END
      fine.raw(text.slice(0, 15_000))
      fine.raw(text.slice(15_000))
    }
    await fine.settled()

    const whole = await connect('bob')
    whole.raw(padded(32 * 1024 + 1) + END)
    expect(await whole.close()).toEqual({ type: 7, error: expect.any(String) })

    const parts = await connect('cat')
    for (let sent = 0; sent <= 32; sent += 1) parts.raw('a'.repeat(1024))
    expect(await parts.close()).toEqual({ type: 7, error: expect.any(String) })

    const huge = await connect('dan')
    huge.raw('a'.repeat(1024 * 1024))
    await huge.closed
  })

  test('a message of more than 16 levels ends the connection; one of 16 does not', async () => {
    const { connect } = await hubForTest()
    const client = await connect('ann')
    const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels)
    client.raw(`{"type":1,"target":"X","arguments":${nested(15)}}${END}`)
    await client.settled()
    client.raw(`{"type":1,"target":"X","arguments":${nested(16)}}${END}`)
    expect(await client.close()).toEqual({ type: 7, error: expect.any(String) })

    const other = await connect('bob')
    other.raw(`{"type":99,"more":${nested(10_000)}}${END}`)
    expect(await other.close()).toEqual({ type: 7, error: expect.any(String) })
  })

  test('48: every frame of the server ends in 0x1E', async () => {
    const { url } = await hubForTest()
    const { caller, callee } = await matchedPair(url, 'ann', 'bob')
    await caller.leave()
    await callee.event('SessionTerminated')
    for (const frame of [...caller.frames, ...callee.frames]) expect(frame.endsWith(END)).toBe(true)
  })
})
