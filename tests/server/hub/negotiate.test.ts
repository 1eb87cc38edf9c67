import { describe, expect, test } from 'vitest'
import { negotiate, RawClient, upgradeStatus } from '../../support/hub/hub-client.ts'
import { ORIGIN, tokenOf } from '../../support/hub/hub-fakes.ts'
import { hubForTest } from '../../support/hub/hub-test.ts'

const bearer = (account: string) => ({ authorization: `Bearer ${tokenOf(account)}` })

describe('negotiate', () => {
  test('1: a POST with an empty body returns an id, a token and the one transport, new ones each time', async () => {
    const { url } = await hubForTest()
    const first = await negotiate(url, 'ann')
    const second = await negotiate(url, 'ann')
    expect(first.response.headers.get('content-type')).toMatch(/^application\/json/)
    expect(first.body).toEqual({
      negotiateVersion: 1,
      connectionId: expect.stringMatching(/^[\w-]+$/),
      connectionToken: expect.any(String),
      availableTransports: [{ transport: 'WebSockets', transferFormats: ['Text'] }],
    })
    expect(first.body.connectionToken).not.toBe(first.body.connectionId)
    expect(second.body.connectionId).not.toBe(first.body.connectionId)
    expect(second.body.connectionToken).not.toBe(first.body.connectionToken)
  })

  test('2: without a version it is version 0: an id that also connects, no token', async () => {
    const { url } = await hubForTest()
    const { body } = await negotiate(url, 'ann', '')
    expect(body.negotiateVersion).toBe(0)
    expect(body.connectionToken).toBeUndefined()
    expect(await upgradeStatus(`${url}?id=${body.connectionId}`, bearer('ann'))).toBe(101)
  })

  test('3: a higher version returns version 1', async () => {
    const { url } = await hubForTest()
    expect((await negotiate(url, 'ann', 'negotiateVersion=9')).body.negotiateVersion).toBe(1)
  })

  test('4: a version that is no whole number returns an error', async () => {
    const { url } = await hubForTest()
    for (const version of ['x', '1.5', '-1', '1e3']) {
      const { body } = await negotiate(url, 'ann', `negotiateVersion=${version}`)
      expect(body).toEqual({ error: expect.any(String) })
    }
  })

  test('6: query keys are case-insensitive', async () => {
    const { url } = await hubForTest()
    expect((await negotiate(url, 'ann', 'NEGOTIATEVERSION=1')).body.negotiateVersion).toBe(1)
    const { body } = await negotiate(url, 'ann')
    const address = `${url}?ID=${body.connectionToken}&Access_Token=${tokenOf('ann')}`
    expect(await upgradeStatus(address)).toBe(101)
  })

  test('7: GET is not allowed', async () => {
    const { url } = await hubForTest()
    const response = await fetch(`${url}/negotiate?negotiateVersion=1`, { headers: bearer('ann') })
    expect(response.status).toBe(405)
    expect(response.headers.get('allow')).toBe('POST')
  })

  test('9: a bad, a missing and a stranger’s token are refused, and a blocked user', async () => {
    const { url, statuses } = await hubForTest()
    const post = (headers: Record<string, string>) => fetch(`${url}/negotiate`, { method: 'POST', headers })
    expect((await post({ authorization: 'Bearer nonsense' })).status).toBe(401)
    expect((await post({})).status).toBe(401)
    expect((await post(bearer('nobody'))).status).toBe(401)
    for (const status of ['Appeal', 'InReview', 'Blocked'] as const) {
      statuses.set('ann', status)
      expect((await post(bearer('ann'))).status).toBe(403)
    }
  })

  test('10: the token is safe in a URL as it is', async () => {
    const { url } = await hubForTest()
    const { body } = await negotiate(url, 'ann')
    expect(body.connectionToken).toMatch(/^[A-Za-z0-9_-]{20,}$/)
  })

  test('11: a token that was not used in time is unknown', async () => {
    const { url, clock } = await hubForTest()
    const { body } = await negotiate(url, 'ann')
    clock.advance(15_000)
    expect(await upgradeStatus(`${url}?id=${body.connectionToken}`, bearer('ann'))).toBe(404)
  })

  test('a session id in the query must match the token; an email there is ignored', async () => {
    const { url } = await hubForTest()
    const own = await negotiate(url, 'ann', 'negotiateVersion=1&userSessionId=session-ann&email=bob%40example.org')
    expect(own.response.status).toBe(200)
    const other = await negotiate(url, 'ann', 'negotiateVersion=1&userSessionId=session-bob').catch(() => null)
    expect(other?.response.status).toBe(403)
  })
})

describe('the WebSocket', () => {
  test('13: an unknown id is not found', async () => {
    const { url } = await hubForTest()
    expect(await upgradeStatus(`${url}?id=unknown`, bearer('ann'))).toBe(404)
  })

  test('14: the connection id is not the key of a version 1 connection', async () => {
    const { url } = await hubForTest()
    const { body } = await negotiate(url, 'ann')
    expect(await upgradeStatus(`${url}?id=${body.connectionId}`, bearer('ann'))).toBe(404)
  })

  test('15: without an id it is a new connection', async () => {
    const { url } = await hubForTest()
    expect(await upgradeStatus(url, bearer('ann'))).toBe(101)
  })

  test('16: the token may be in the header or in access_token', async () => {
    const { url } = await hubForTest()
    const first = await negotiate(url, 'ann')
    expect(await upgradeStatus(`${url}?id=${first.body.connectionToken}`, bearer('ann'))).toBe(101)
    const second = await negotiate(url, 'ann')
    const address = `${url}?id=${second.body.connectionToken}`
    expect(await upgradeStatus(address)).toBe(401)
    expect(await upgradeStatus(`${address}&access_token=${tokenOf('ann')}`)).toBe(101)
  })

  test('17: the connection of another user is refused', async () => {
    const { url } = await hubForTest()
    const { body } = await negotiate(url, 'ann')
    expect(await upgradeStatus(`${url}?id=${body.connectionToken}`, bearer('bob'))).toBe(403)
  })

  test('18: a second socket on one connection is a conflict, and not found after its end', async () => {
    const { url } = await hubForTest()
    const client = await RawClient.connect(url, 'ann')
    expect(await upgradeStatus(client.address)).toBe(409)
    await client.leave()
    expect(await upgradeStatus(client.address)).toBe(404)
  })

  test('19: a foreign Origin is refused; the own one and none are accepted', async () => {
    const { url } = await hubForTest()
    expect(await upgradeStatus(url, { ...bearer('ann'), origin: 'https://evil.test' })).toBe(403)
    expect(await upgradeStatus(url, { ...bearer('ann'), origin: 'null' })).toBe(403)
    expect(await upgradeStatus(url, { ...bearer('ann'), origin: ORIGIN })).toBe(101)
    expect(await upgradeStatus(url, bearer('ann'))).toBe(101)
  })

  test('a blocked user and another path are refused', async () => {
    const { url, statuses } = await hubForTest()
    expect(await upgradeStatus(`${url}/else`, bearer('ann'))).toBe(404)
    statuses.set('ann', 'Blocked')
    expect(await upgradeStatus(url, bearer('ann'))).toBe(403)
  })

  test('a plain GET returns 426', async () => {
    const { url } = await hubForTest()
    expect((await fetch(url)).status).toBe(426)
  })
})
