import type { Candidate } from '#protocol/hub.ts'

const NOWHERE = 'IN IP4 0.0.0.0'
const CANDIDATE = 'a=candidate:'

/** Lines that name addresses, or that say that no more will come. */
const dropped = /^a=(?:candidate|remote-candidates|end-of-candidates)\b/

function hideAddress(line: string): string {
  if (line.startsWith('c=')) return `c=${NOWHERE}`
  if (line.startsWith('o=')) return line.replace(/ IN IP[46] \S+$/, ` ${NOWHERE}`)
  return line.replace(/^a=rtcp:\d+ IN IP[46] \S+$/, `a=rtcp:9 ${NOWHERE}`)
}

/** A description without network addresses, and the candidates that were in it. */
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
        // The first section is what stands before the media.
        candidates.push({ candidate: line.slice(2), sdpMid, sdpMLineIndex: Math.max(0, index - 1), usernameFragment })
    return lines
      .filter((line) => !dropped.test(line))
      .map(hideAddress)
      .join('\r\n')
  })
  return { sdp: kept.join(''), candidates }
}
