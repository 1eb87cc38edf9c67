/** The longest sound packets of a call that is not short of bandwidth, in milliseconds. */
const SHORT_PACKET_MS = 20
/** Codecs for retransmission and error correction, which carry no video. */
const auxiliaryCodec = /^(?:rtx|red|ulpfec|flexfec-\d+)$/i

/** Changes the sections of this kind of media. */
function inSections(sdp: string, kind: 'audio' | 'video', change: (section: string) => string): string {
  const sections = sdp.split(/(?=^m=)/m)
  return sections.map((section) => (section.startsWith(`m=${kind} `) ? change(section) : section)).join('')
}

/**
 * Sets libwebrtc's initial bandwidth estimate for the video sent to the author of this description. Only Chromium reads
 * the parameter, and only from the remote description. `preferred` are names of codecs such as `VP8`: the parameter is
 * set for the first of them that is described, or else for the first codec of the description. No other codec gets it:
 * a call that changes to that codec would fall back to the start estimate.
 */
export function withStartBitrate(sdp: string, kbitPerSecond: number, preferred: readonly string[]): string {
  const parameter = `x-google-start-bitrate=${kbitPerSecond}`
  return inSections(sdp, 'video', (section) => withVideoParameter(section, parameter, preferred))
}

function withVideoParameter(section: string, parameter: string, preferred: readonly string[]): string {
  const described = new Set([...section.matchAll(/^a=fmtp:(\d+) /gm)].map(([, payload]) => payload))
  const names = new Map(
    [...section.matchAll(/^a=rtpmap:(\d+) ([\w-]+)\//gm)]
      .filter(([, , codec]) => !auxiliaryCodec.test(codec ?? ''))
      .map(([, payload, codec]) => [payload, codec?.toUpperCase()]),
  )
  const inOrder = /^m=video \S+ \S+ ([\d ]+)/.exec(section)?.[1]?.split(' ') ?? []
  const first = [...preferred, ...inOrder.map((payload) => names.get(payload) ?? '')].find((name) =>
    [...names.values()].includes(name.toUpperCase()),
  )
  const video = new Set([...names].flatMap(([payload, name]) => (name === first?.toUpperCase() ? [payload] : [])))
  return section
    .replace(/^(a=fmtp:(\d+) [^\r\n]*)/gm, (line, _all, payload: string) =>
      video.has(payload) ? `${line};${parameter}` : line,
    )
    .replace(/^(a=rtpmap:(\d+) [^\r\n]*)(\r?\n)/gm, (line, _all, payload: string, lineEnd: string) =>
      video.has(payload) && !described.has(payload) ? `${line}a=fmtp:${payload} ${parameter}${lineEnd}` : line,
    )
}

/**
 * Sets the length of the sound packets that are sent to the author of this description, in milliseconds. An author who receives no
 * packets of that length keeps the browser's default. Packets longer than 20 ms are for a low bit rate: nothing is then sent in pauses of speech.
 */
export function withPacketTime(sdp: string, ms: number): string {
  return inSections(sdp, 'audio', (section) => withPacketTimeOfSound(section, ms))
}

function withPacketTimeOfSound(section: string, ms: number): string {
  const longest = Number(/^a=maxptime:(\d+)/m.exec(section)?.[1] ?? ms)
  if (longest < ms) return section
  const paused = withSilentPauses(section, ms > SHORT_PACKET_MS)
  return `${paused.replace(/^a=ptime:\d+\r?\n/gm, '')}a=ptime:${ms}\r\n`
}

/**
 * Turns discontinuous transmission on or off. With it, the loss of a packet at the start of a pause is noticed only
 * with the next packet, 400 ms later, and the browser makes up the sound in between.
 */
function withSilentPauses(section: string, isOn: boolean): string {
  const opus = /^a=rtpmap:(\d+) opus\//im.exec(section)?.[1]
  const sent = section.replace(/;?usedtx=\d/g, '')
  return isOn && opus !== undefined ? sent.replace(new RegExp(`^a=fmtp:${opus} [^\\r\\n]*`, 'm'), '$&;usedtx=1') : sent
}

/** Sets the highest bit rate in kbit/s of the video that is sent to the author of this description. */
export function withVideoBandwidth(sdp: string, kbitPerSecond: number): string {
  return inSections(sdp, 'video', (section) => withBandwidth(section, kbitPerSecond))
}

/** The line stands after the connection line (RFC 8866, section 5). */
function withBandwidth(section: string, kbitPerSecond: number): string {
  return section.replace(/^b=AS:.*\r?\n/gm, '').replace(/^(c=.*\r?\n)/m, `$1b=AS:${kbitPerSecond}\r\n`)
}

/** Type preference of a peer-reflexive address, which is learnt from the peer's check (RFC 8445, section 5.1.2.1). */
const REFLEXIVE_PREFERENCE = 110
const PREFERENCE_UNIT = 2 ** 24

/**
 * Lowers the priority of an ICE candidate below that of a peer-reflexive address. After an ICE restart the peer's
 * checks arrive before its candidates. While the earlier pair is alive, libwebrtc would drop the new pair because a
 * reflexive address has a lower priority, never check it again, and go on sending to the old address.
 */
export function belowReflexive(candidate: string): string {
  return candidate.replace(/^(candidate:\S+ \d+ \S+ )(\d+)/, (_all, start: string, priority: string) => {
    const preference = Math.min(Math.floor(Number(priority) / PREFERENCE_UNIT), REFLEXIVE_PREFERENCE - 1)
    return `${start}${preference * PREFERENCE_UNIT + (Number(priority) % PREFERENCE_UNIT)}`
  })
}

/** True if `sdp` describes the ICE session that a candidate with this user name fragment belongs to. */
export function hasUserNameFragment(sdp: string, fragment: string): boolean {
  return sdp.split(/\r?\n/).includes(`a=ice-ufrag:${fragment}`)
}

/**
 * Asks for retransmission of lost sound packets, which browsers can do but do not offer. Returns `sdp` unchanged if it
 * does not describe Opus as Chromium does.
 */
export function withSoundProtection(sdp: string): string {
  return inSections(sdp, 'audio', withProtectedOpus)
}

function withProtectedOpus(section: string): string {
  const opus = /^a=rtpmap:(\d+) opus\//im.exec(section)?.[1]
  // Firefox refuses what it did not write itself.
  if (opus === undefined || !section.includes(`a=rtcp-fb:${opus} transport-cc`)) return section
  return section.replace(
    /^(a=rtpmap:(\d+) (?:opus|red)\/[^\r\n]*)(\r?\n)/gim,
    (line, _all, payload: string, lineEnd: string) =>
      section.includes(`a=rtcp-fb:${payload} nack`) ? line : `${line}a=rtcp-fb:${payload} nack${lineEnd}`,
  )
}
