import { describe, expect, test } from 'vitest'
import { RawClient } from '../../support/hub/hub-client.ts'
import { hubForTest } from '../../support/hub/hub-test.ts'

const END = '\u001e'
const HANDSHAKE = `{"protocol":"json","version":1}${END}`

async function refusedWith(text: string): Promise<unknown> {
  const { url } = await hubForTest()
  const client = await RawClient.open(url, 'ann')
  client.raw(text)
  await client.closed
  expect(client.messages).toHaveLength(1)
  return client.messages[0]
}

describe('the handshake', () => {
  test('20: returns an empty object, then the connection id', async () => {
    const { url } = await hubForTest()
    const client = await RawClient.open(url, 'ann')
    client.raw(HANDSHAKE)
    const [id] = await client.event('OnUserConnected')
    expect(client.messages[0]).toEqual({})
    expect(client.messages[1]).toEqual({ type: 1, target: 'OnUserConnected', arguments: [id] })
  })

  test('21: may be split over frames', async () => {
    const { url } = await hubForTest()
    const client = await RawClient.open(url, 'ann')
    for (const character of HANDSHAKE) client.raw(character)
    await client.event('OnUserConnected')
  })

  test('22: may share its frame with an invocation', async () => {
    const { url } = await hubForTest()
    const client = await RawClient.open(url, 'ann')
    client.raw(`${HANDSHAKE}{"type":1,"invocationId":"1","target":"Nothing","arguments":[]}${END}`)
    await client.until(() => client.messages.some((message) => message.type === 3))
    expect(client.messages.map(({ type }) => type)).toEqual([undefined, 1, 3])
  })

  test('23: another protocol is refused', async () => {
    expect(await refusedWith(`{"protocol":"messagepack","version":1}${END}`)).toEqual({ error: expect.any(String) })
  })

  test('24: another version is refused', async () => {
    expect(await refusedWith(`{"protocol":"json","version":3}${END}`)).toEqual({ error: expect.any(String) })
  })

  test('25: another first message is refused', async () => {
    for (const text of [`{"type":6}${END}`, `nonsense${END}`, END])
      expect(await refusedWith(text)).toEqual({ error: expect.any(String) })
  })

  test('26: a silent client is closed after 15 seconds', async () => {
    const { url, clock } = await hubForTest()
    const client = await RawClient.open(url, 'ann')
    const connected = await RawClient.connect(url, 'bob')
    clock.advance(14_000)
    expect(client.socket.readyState).toBe(client.socket.OPEN)
    clock.advance(2_000)
    await client.closed
    await connected.settled()
  })
})
