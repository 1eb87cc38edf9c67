import { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import { expect, test } from 'vitest'
import { addressKey, clientAddress, inNetworks } from '../../../../server/platform/http/client-address.ts'
import { AddressLimits } from '../../../../server/platform/rules/token-bucket.ts'

test.each([
  ['192.0.2.7', '192.0.2.7'],
  ['::ffff:192.0.2.7', '192.0.2.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
  ['2001:db8:1:2::1', '2001:db8:1:2'],
  ['2001:0db8:0001:0002:ffff::', '2001:db8:1:2'],
  ['2001:db8::1', '2001:db8:0:0'],
  ['fe80::1%eth0', 'fe80:0:0:0'],
  ['::1', '0:0:0:0'],
  // As some proxies write the client.
  ['192.0.2.7:50123', '192.0.2.7'],
  ['[2001:db8:1:2::1]:50123', '2001:db8:1:2'],
  ['[2001:db8:1:2::1]', '2001:db8:1:2'],
])('%s counts as %s', (address, key) => expect(addressKey(address)).toBe(key))

function requestFrom(remoteAddress: string, forwarded?: string): IncomingMessage {
  const socket = new Socket()
  Object.defineProperty(socket, 'remoteAddress', { value: remoteAddress })
  const request = new IncomingMessage(socket)
  if (forwarded !== undefined) request.headers['x-forwarded-for'] = forwarded
  return request
}

test.each([
  [false, '192.0.2.7', '198.51.100.1', '192.0.2.7'],
  ['10.0.0.0/8', '192.0.2.7', '198.51.100.1', '192.0.2.7'],
  ['10.0.0.0/8', '10.0.0.1', '203.0.113.9, 198.51.100.1', '198.51.100.1'],
  ['10.0.0.0/8', '10.0.0.1', '203.0.113.9, 198.51.100.1, 10.0.0.2', '198.51.100.1'],
  ['10.0.0.0/8', '::ffff:10.0.0.1', '198.51.100.1', '198.51.100.1'],
  ['10.0.0.0/8, ::1', '::1', '198.51.100.1', '198.51.100.1'],
  ['10.0.0.0/8', '10.0.0.1', undefined, '10.0.0.1'],
])('behind proxies %s, %s with %s is %s', (proxies, remote, forwarded, address) => {
  expect(clientAddress(requestFrom(remote, forwarded), inNetworks(proxies))).toBe(address)
})

test('an address has its own bucket, and a million of them do not fill the memory', () => {
  const limits = new AddressLimits({ perSecond: 1, burst: 2 })
  expect([limits.allows('a', 0), limits.allows('a', 0), limits.allows('a', 0)]).toEqual([true, true, false])
  expect(limits.allows('b', 0)).toBe(true)
  expect(limits.allows('a', 1_000)).toBe(true)
  for (let n = 0; n < 60_000; n += 1) limits.allows(`address ${n}`, 1_000)
  expect(limits.size).toBeLessThanOrEqual(50_000)
})
