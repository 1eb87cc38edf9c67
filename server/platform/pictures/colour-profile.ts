import { METADATA_BYTES } from './picture-refusal.ts'

/** Names of the tags that hold tables of many dimensions instead of curves and a matrix. */
const TABLE_TAG = /^[ABD]2[ABD]\d$/
const HEADER_BYTES = 128
const TAG_BYTES = 12
const TAGS_LIMIT = 50

/**
 * True for a profile of the kind that screens and cameras have: three curves and a matrix, or one curve for grey. Other
 * profiles are not applied: the processor time that their tables take has no limit.
 */
export function isPlainProfile(profile: Buffer): boolean {
  if (profile.length < HEADER_BYTES + 4 || profile.length > METADATA_BYTES) return false
  const text = (at: number) => profile.toString('latin1', at, at + 4)
  if (profile.readUInt32BE(0) > profile.length || text(36) !== 'acsp') return false
  if (!['RGB ', 'GRAY'].includes(text(16)) || text(20) !== 'XYZ ') return false
  const tags = profile.readUInt32BE(HEADER_BYTES)
  if (tags > TAGS_LIMIT || HEADER_BYTES + 4 + tags * TAG_BYTES > profile.length) return false
  return Array.from({ length: tags }, (_, index) => HEADER_BYTES + 4 + index * TAG_BYTES).every((at) => {
    const end = profile.readUInt32BE(at + 4) + profile.readUInt32BE(at + 8)
    return end <= profile.length && !TABLE_TAG.test(text(at))
  })
}
