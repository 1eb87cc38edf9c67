import { describe, expect, test } from 'vitest'
import {
  belowReflexive,
  hasUserNameFragment,
  withPacketTime,
  withSoundProtection,
  withStartBitrate,
  withVideoBandwidth,
} from '../../../../src/call/peer/sdp.ts'

const sdp = [
  'v=0',
  'm=audio 9 UDP/TLS/RTP/SAVPF 111',
  'a=rtpmap:111 opus/48000/2',
  'a=fmtp:111 minptime=10;useinbandfec=1',
  'm=video 9 UDP/TLS/RTP/SAVPF 96 97 103 104 35 36',
  'a=ice-ufrag:AbCd',
  'a=rtpmap:96 VP8/90000',
  'a=rtcp-fb:96 nack',
  'a=rtpmap:97 rtx/90000',
  'a=fmtp:97 apt=96',
  'a=rtpmap:103 H264/90000',
  'a=fmtp:103 packetization-mode=1',
  'a=rtpmap:104 ulpfec/90000',
  'a=rtpmap:35 AV1/90000',
  'a=fmtp:35 level-idx=5',
  'a=rtpmap:36 flexfec-03/90000',
  'a=fmtp:36 repair-window=10000000',
  'm=application 9 UDP/DTLS/SCTP webrtc-datachannel',
  '',
].join('\r\n')

/** Returns the lines that are in one of the two texts only, each with its sign. */
function difference(before: string, after: string): string[] {
  const [old, made] = [before.split('\r\n'), after.split('\r\n')]
  return [
    ...old.filter((line) => !made.includes(line)).map((line) => `- ${line}`),
    ...made.filter((line) => !old.includes(line)).map((line) => `+ ${line}`),
  ]
}

describe('the start bitrate', () => {
  test('is added to the first codec of the description alone, which may have no parameters yet', () => {
    expect(difference(sdp, withStartBitrate(sdp, 1000, []))).toEqual(['+ a=fmtp:96 x-google-start-bitrate=1000'])
  })

  test('is added to the first preferred codec that is described', () => {
    for (const preferred of [['H264'], ['VP9', 'rtx', 'h264', 'VP8']])
      expect(difference(sdp, withStartBitrate(sdp, 1000, preferred))).toEqual([
        '- a=fmtp:103 packetization-mode=1',
        '+ a=fmtp:103 packetization-mode=1;x-google-start-bitrate=1000',
      ])
    expect(withStartBitrate(sdp, 1000, ['VP9'])).toBe(withStartBitrate(sdp, 1000, []))
  })

  test('follows its codec', () => {
    expect(withStartBitrate(sdp, 1000, [])).toContain(
      'a=rtpmap:96 VP8/90000\r\na=fmtp:96 x-google-start-bitrate=1000\r\na=rtcp-fb:96 nack\r\n',
    )
  })

  test('does not change a description without video', () => {
    const audioOnly = sdp.slice(0, sdp.indexOf('m=video'))
    expect(withStartBitrate(audioOnly, 1000, [])).toBe(audioOnly)
  })
})

describe('the protection of sound', () => {
  const chromium = [
    'v=0',
    'm=audio 9 UDP/TLS/RTP/SAVPF 63 111 9',
    'a=rtpmap:63 red/48000/2',
    'a=fmtp:63 111/111',
    'a=rtpmap:111 opus/48000/2',
    'a=rtcp-fb:111 transport-cc',
    'a=fmtp:111 minptime=10;useinbandfec=1',
    'a=rtpmap:9 G722/8000',
    'm=video 9 UDP/TLS/RTP/SAVPF 96 111',
    'a=rtpmap:96 VP8/90000',
    'a=rtcp-fb:96 transport-cc',
    '',
  ].join('\r\n')

  test('adds retransmission to Opus and to its redundant form', () => {
    expect(difference(chromium, withSoundProtection(chromium))).toEqual(['+ a=rtcp-fb:63 nack', '+ a=rtcp-fb:111 nack'])
  })

  test('adds nothing twice', () => {
    const once = withSoundProtection(chromium)
    expect(withSoundProtection(once)).toBe(once)
    expect(once.match(/ nack\r\n/g)).toHaveLength(2)
  })

  test('leaves the sound of Firefox, and a description without sound, as it is', () => {
    const firefox = chromium.replace('a=rtcp-fb:111 transport-cc\r\n', '')
    expect(withSoundProtection(firefox)).toBe(firefox)
    const pictureOnly = `v=0\r\n${chromium.slice(chromium.indexOf('m=video'))}`
    expect(withSoundProtection(pictureOnly)).toBe(pictureOnly)
  })

  test('does not change the start bitrate, nor is changed by it', () => {
    expect(withSoundProtection(withStartBitrate(chromium, 500, []))).toBe(
      withStartBitrate(withSoundProtection(chromium), 500, []),
    )
  })
})

describe('the length of sound packets', () => {
  test('is set for the sound alone, with nothing sent in pauses while packets are long, and replaces the one before', () => {
    const longer = withPacketTime(sdp, 60)
    expect(difference(sdp, longer)).toEqual([
      '- a=fmtp:111 minptime=10;useinbandfec=1',
      '+ a=fmtp:111 minptime=10;useinbandfec=1;usedtx=1',
      '+ a=ptime:60',
    ])
    expect(withPacketTime(longer, 120)).toBe(withPacketTime(sdp, 120))
    expect(longer.indexOf('a=ptime')).toBeLessThan(longer.indexOf('m=video'))
    expect(withPacketTime(longer, 20)).toBe(withPacketTime(sdp, 20))
    expect(withPacketTime(longer, 20)).not.toContain('usedtx')
  })

  test('stays as it is where the author takes no packets of that length', () => {
    const short = sdp.replace('a=fmtp:111', 'a=maxptime:40\r\na=fmtp:111')
    expect(withPacketTime(short, 60)).toBe(short)
    expect(withPacketTime(short, 40)).toContain('a=ptime:40')
  })
})

test('the bandwidth is set for the video alone, after its connection line, and replaces the one before', () => {
  const connected = sdp.replaceAll(/(m=.*)/g, '$1\r\nc=IN IP4 0.0.0.0')
  const limited = withVideoBandwidth(connected, 4_000)
  expect(difference(connected, limited)).toEqual(['+ b=AS:4000'])
  expect(limited).toMatch(/m=video .*\r\nc=IN IP4 0\.0\.0\.0\r\nb=AS:4000\r\n/)
  expect(withVideoBandwidth(limited, 4_001)).toBe(withVideoBandwidth(connected, 4_001))
})

test('a user name fragment matches only as a whole', () => {
  expect(hasUserNameFragment(sdp, 'AbCd')).toBe(true)
  expect(hasUserNameFragment(sdp, 'AbC')).toBe(false)
  expect(hasUserNameFragment(sdp, 'abcd')).toBe(false)
})

test.each([
  ['of a host', 2_122_260_223, 109 * 2 ** 24 + (2_122_260_223 % 2 ** 24)],
  ['of a reflexive address', 110 * 2 ** 24 + 7, 109 * 2 ** 24 + 7],
  ['of an address that a server saw', 1_686_052_607, 1_686_052_607],
  ['of a relay', 41_885_439, 41_885_439],
])('the priority of a candidate %s stands below a reflexive one', (_name, given, expected) => {
  const rest = 'fd00::2 41196 typ host generation 0 ufrag AbCd network-cost 999'
  expect(belowReflexive(`candidate:842163049 1 udp ${given} ${rest}`)).toBe(
    `candidate:842163049 1 udp ${expected} ${rest}`,
  )
})

test('what is no candidate is left as it is', () => {
  expect(belowReflexive('')).toBe('')
})
