import { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import { expect, test } from 'vitest'
import { createOriginOf } from '../../../../server/hub/origin.ts'

const CHROME =
  'Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Mobile Safari/537.36'
const SAFARI =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Version/18.0 Mobile Safari/604.1'

function originFrom(address: string, userAgent = CHROME, secret = 'secret') {
  const request = new IncomingMessage(new Socket())
  request.headers['user-agent'] = userAgent
  return createOriginOf(secret, () => address)(request)
}

test.each([
  ['203.0.113.7', '203.0.113.200', '203.0.114.7'],
  ['2001:db8:1:2::1', '2001:db8:1:ffff::9', '2001:db8:2:2::1'],
])('%s and %s are one network, %s is another', (one, same, other) => {
  expect(originFrom(one)).toEqual(originFrom(same))
  expect(originFrom(one)?.network).not.toBe(originFrom(other)?.network)
  expect(originFrom(one)?.device).not.toBe(originFrom(other)?.device)
})

test('two kinds of device in one network are told apart', () => {
  const [chrome, safari] = [originFrom('203.0.113.7'), originFrom('203.0.113.8', SAFARI)]
  expect(chrome?.network).toBe(safari?.network)
  expect(chrome?.device).not.toBe(safari?.device)
  expect(originFrom('203.0.113.7', CHROME.replace('130', '131'))).toEqual(chrome)
})

test('a private address has no origin, and no origin tells the address without the secret', () => {
  expect(originFrom('192.168.1.2')).toBeNull()
  expect(originFrom('::1')).toBeNull()
  expect(originFrom('203.0.113.7', CHROME, 'another secret')?.network).not.toBe(originFrom('203.0.113.7')?.network)
})
