/** What a browser sends at the beginning of a call, as simulated people send it: by length and number, without real addresses. */

/** Of the 24 events that a person sends for a call two are the nickname and the description. */
const CANDIDATES = 22
/** Candidates of the own networks come at once, those of STUN and TURN one and two round trips later. */
const bursts = [
  { afterMs: 0, count: 10 },
  { afterMs: 100, count: 6 },
  { afterMs: 300, count: CANDIDATES - 16 },
]

const candidateOf = (index: number) =>
  JSON.stringify({
    candidate: `candidate:${4_000_000_000 + index} 1 udp 2113937151 192.0.2.${index + 1} ${50_000 + index} typ host generation 0 ufrag a1b2 network-cost 999`,
    sdpMid: '0',
    sdpMLineIndex: 0,
    usernameFragment: 'a1b2',
  })

export const callSetUp = bursts.map(({ afterMs, count }) => ({
  afterMs,
  candidates: Array.from({ length: count }, (_, index) => candidateOf(index)),
}))

/** Codecs and extensions of Chromium's description for sound and picture take about 6 KB. */
const LINES = 150
const filler = 'a=rtcp-fb:96 nack pli and some more text\r\n'.repeat(LINES)

export const descriptionOf = (type: 'offer' | 'answer') =>
  JSON.stringify({
    type,
    sdp: `v=0\r\no=- 1 2 IN IP4 127.0.0.1\r\ns=-\r\nt=0 0\r\nm=audio 9 UDP/TLS/RTP/SAVPF 111\r\nm=video 9 UDP/TLS/RTP/SAVPF 96\r\n${filler}`,
  })
