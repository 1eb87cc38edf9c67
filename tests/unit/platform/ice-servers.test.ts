import { expect, test } from 'vitest'
import { iceServersFrom, relaysOf, turnFaultText } from '../../../src/platform/rules/ice-servers.ts'

const stunUrl = 'stun:stun.example.org'
const login = { username: '1700000600:random', credential: 'c2VjcmV0' }

test('a TURN server with several URLs is one entry beside the STUN server', () => {
  const turnUrl = 'turn:turn.example.org,turn:turn.example.org?transport=tcp,turns:turn.example.org:443'
  const servers = iceServersFrom({ turnUrl, stunUrl, ...login })
  const relay = {
    urls: ['turn:turn.example.org', 'turn:turn.example.org?transport=tcp', 'turns:turn.example.org:443'],
    ...login,
  }
  expect(servers).toEqual([{ urls: [stunUrl] }, relay])
  expect(relaysOf(servers)).toEqual([relay])
})

test('without a TURN server there are no relays', () => {
  const servers = iceServersFrom({ turnUrl: '', username: '', credential: '', stunUrl })
  expect(servers).toEqual([{ urls: [stunUrl] }])
  expect(relaysOf(servers)).toEqual([])
})

test('a response without any server is valid', () => {
  expect(iceServersFrom({ turnUrl: '', username: '', credential: '', stunUrl: '' })).toEqual([])
})

test.each([
  ['no name', { turnUrl: 'turn:x', username: '', credential: 'c', stunUrl }],
  ['no credential', { turnUrl: 'turn:x', username: 'u', credential: '', stunUrl }],
  ['another scheme', { turnUrl: 'https://x', username: 'u', credential: 'c', stunUrl }],
  ['an empty second address', { turnUrl: 'turn:x,', username: 'u', credential: 'c', stunUrl }],
])('%s makes the response invalid', (_what, reply) => {
  expect(() => iceServersFrom(reply)).toThrow(expect.objectContaining({ code: 'invalid-response' }))
})

test.each([
  ['timeout', 'TURN server request timed out'],
  ['network-error', 'TURN server request failed in the network'],
  ['server-unreachable', 'TURN server is unreachable'],
  ['http-error', 'TURN server request failed with an HTTP error'],
  ['invalid-response', 'Invalid response from TURN server'],
  ['unknown', 'Unknown error while requesting the TURN server'],
  ['too-many-requests', 'TURN server request was refused: too-many-requests'],
] as const)('%s is logged as "%s"', (code, line) => {
  expect(turnFaultText(code)).toBe(line)
})
