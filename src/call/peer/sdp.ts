/** The longest sound packets, in milliseconds, of a call that has enough bandwidth. */
const SHORT_PACKET_MS = 20
/** Names of codecs for retransmission and error correction, which contain no video. */
const auxiliaryCodec = /^(?:rtx|red|ulpfec|flexfec-\d+)$/i

/** Applies `change` to each section of this kind of media. */
function inSections(sdp: string, kind: 'audio' | 'video', change: (section: string) => string): string {
  const sections = sdp.split(/(?=^m=)/m)
  return sections.map((section) => (section.startsWith(`m=${kind} `) ? change(section) : section)).join('')
}

/**
 * Sets libwebrtc's start estimate of the bandwidth for the video that is sent to the author of this description. Only
 * Chromium reads the parameter, and only from the remote description. `preferred` are names of codecs such as `VP8`.
 * The parameter is set for the first of them that is in the description, or else for the description's first codec. No
 * other codec gets the parameter: a call that changes to that codec would fall back to the start estimate.
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
 * Sets the length in milliseconds of the sound packets that are sent to the author of this description. Packets longer
 * than 20 ms save bandwidth, so with them nothing is sent in pauses of speech. An author whose browser cannot receive
 * packets of that length is sent the browser's default.
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
 * Turns discontinuous transmission on or off. With it, the loss of a packet at the start of a pause is noticed only 400
 * ms later, with the next packet; until then the browser makes up sound.
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

/** The `b=AS` line stands after the connection line (RFC 8866, section 5). */
function withBandwidth(section: string, kbitPerSecond: number): string {
  return section.replace(/^b=AS:.*\r?\n/gm, '').replace(/^(c=.*\r?\n)/m, `$1b=AS:${kbitPerSecond}\r\n`)
}

/** ICE type preference of a peer-reflexive address, learnt from a check of the peer (RFC 8445, section 5.1.2.1). */
const REFLEXIVE_PREFERENCE = 110
const PREFERENCE_UNIT = 2 ** 24

/**
 * Lowers the priority of an ICE candidate below that of a peer-reflexive address. After an ICE restart the peer's
 * checks arrive before its candidates. With a lower priority of the reflexive address, libwebrtc would drop the new
 * pair while the earlier pair is alive, never check the new pair again, and go on sending to the old address.
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
 * Asks for retransmission of lost sound packets, which browsers support but do not offer. Returns `sdp` unchanged
 * unless it describes Opus as Chromium does.
 */
export function withSoundProtection(sdp: string): string {
  return inSections(sdp, 'audio', withProtectedOpus)
}

function withProtectedOpus(section: string): string {
  const opus = /^a=rtpmap:(\d+) opus\//im.exec(section)?.[1]
  // Firefox refuses a local description that was changed.
  if (opus === undefined || !section.includes(`a=rtcp-fb:${opus} transport-cc`)) return section
  return section.replace(
    /^(a=rtpmap:(\d+) (?:opus|red)\/[^\r\n]*)(\r?\n)/gim,
    (line, _all, payload: string, lineEnd: string) =>
      section.includes(`a=rtcp-fb:${payload} nack`) ? line : `${line}a=rtcp-fb:${payload} nack${lineEnd}`,
  )
}
