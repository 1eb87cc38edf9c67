import { expect, test } from 'vitest'
import { hasAudioAndVideo } from '#protocol/hub.ts'
import { withoutAddresses } from '../../../../server/matching/rules/sdp-addresses.ts'

const host = 'candidate:1 1 udp 2113937151 198.51.100.7 50000 typ host generation 0'
const relayed = 'candidate:2 1 udp 33562367 203.0.113.9 60000 typ relay raddr 198.51.100.7 rport 50000'
const lines = [
  'v=0',
  'o=- 4611731400430051336 2 IN IP6 2001:db8::7',
  's=-',
  't=0 0',
  'a=group:BUNDLE 0 1',
  'm=audio 50000 UDP/TLS/RTP/SAVPF 111',
  'c=IN IP4 198.51.100.7',
  'a=rtcp:50001 IN IP4 198.51.100.7',
  `a=${host}`,
  'a=ice-ufrag:abcd',
  'a=ice-pwd:asd88fgpdd777uzjYhagZg',
  'a=mid:0',
  'a=end-of-candidates',
  'm=video 50000 UDP/TLS/RTP/SAVPF 96',
  'c=IN IP6 2001:db8::7',
  `a=${relayed}`,
  'a=remote-candidates:1 198.51.100.8 9',
  'a=ice-ufrag:abcd',
  'a=mid:1',
  '',
]

test('all addresses are removed, the candidates are returned, and everything else stays', () => {
  const { sdp, candidates } = withoutAddresses(lines.join('\r\n'))
  expect(sdp).not.toMatch(/198\.51|203\.0|2001:db8/)
  expect(candidates).toEqual([
    { candidate: host, sdpMid: '0', sdpMLineIndex: 0, usernameFragment: 'abcd' },
    { candidate: relayed, sdpMid: '1', sdpMLineIndex: 1, usernameFragment: 'abcd' },
  ])
  expect(hasAudioAndVideo(sdp)).toBe(true)
  for (const line of ['a=ice-pwd:asd88fgpdd777uzjYhagZg', 'a=mid:1', 'c=IN IP4 0.0.0.0', 'a=rtcp:9 IN IP4 0.0.0.0'])
    expect(sdp.split('\r\n')).toContain(line)
})

test('a description without addresses stays as it is', () => {
  const plain = 'v=0\r\no=- 1 2 IN IP4 0.0.0.0\r\nm=audio 9 X 111\r\nc=IN IP4 0.0.0.0\r\nm=video 9 X 96\r\n'
  expect(withoutAddresses(plain)).toEqual({ sdp: plain, candidates: [] })
})
