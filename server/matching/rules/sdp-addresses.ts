import type { Candidate } from '#protocol/hub.ts'

const NO_ADDRESS = 'IN IP4 0.0.0.0'
const CANDIDATE = 'a=candidate:'

/** Attributes that hold addresses, or that mark the end of the candidates. */
const droppedAttribute = /^a=(?:candidate|remote-candidates|end-of-candidates)\b/

function hideAddress(line: string): string {
  if (line.startsWith('c=')) return `c=${NO_ADDRESS}`
  if (line.startsWith('o=')) return line.replace(/ IN IP[46] \S+$/, ` ${NO_ADDRESS}`)
  return line.replace(/^a=rtcp:\d+ IN IP[46] \S+$/, `a=rtcp:9 ${NO_ADDRESS}`)
}

/** Returns the description without network addresses, and the candidates that were in it. */
export function withoutAddresses(sdp: string): { sdp: string; candidates: Candidate[] } {
  const candidates: Candidate[] = []
  const sections = sdp.split(/(?=^m=)/m)
  const kept = sections.map((section, index) => {
    const lines = section.split(/\r?\n/)
    const attribute = (name: string) => lines.find((line) => line.startsWith(name))?.slice(name.length)
    const sdpMid = attribute('a=mid:') ?? null
    const usernameFragment = attribute('a=ice-ufrag:') ?? null
    for (const line of lines)
      if (line.startsWith(CANDIDATE))
        // The first section is the session part, before the media sections.
        candidates.push({ candidate: line.slice(2), sdpMid, sdpMLineIndex: Math.max(0, index - 1), usernameFragment })
    return lines
      .filter((line) => !droppedAttribute.test(line))
      .map(hideAddress)
      .join('\r\n')
  })
  return { sdp: kept.join(''), candidates }
}
