import * as v from 'valibot'
import { parse } from './parse.ts'

/**
 * What the two peers of a call tell each other over the data channel of their connection, at its start and after each
 * change. A peer without the channel is treated as if it accepted every picture.
 */

/**
 * `network`: the network does not carry a picture. `choice`: the user chose sound only. `peer`: the receiver accepts no
 * picture.
 */
const noPictureReasons = ['network', 'choice', 'peer'] as const

const between = (min: number, max: number) => v.pipe(v.number(), v.minValue(min), v.maxValue(max))

/** Upper limits of what a peer wants to receive: bit rates in kbit/s, frames a second, the picture's shorter side in pixels. */
const acceptedSchema = v.object({
  picture: v.boolean(),
  maxKbps: between(20, 100_000),
  maxFrameRate: between(1, 120),
  shortSide: between(90, 4_320),
  soundKbps: between(6, 510),
})

const peerStatusSchema = v.object({
  /** Why no picture is sent; null while a picture is sent. */
  noPicture: v.nullable(v.picklist(noPictureReasons)),
  /** True if the network carries only a picture a second instead of a moving picture. Absent in earlier versions. */
  stills: v.optional(v.boolean(), false),
  /** What reduces the quality at the sender; absent if nothing does, and in earlier versions. */
  weak: v.optional(v.fallback(v.optional(v.picklist(['device', 'network'])), undefined)),
  /**
   * True while the camera is off, interrupted or still being opened: the picture that is sent is black or stands still.
   * Absent in earlier versions, which do not tell why their picture is black.
   */
  cameraOff: v.optional(v.fallback(v.boolean(), false)),
  accepts: acceptedSchema,
})

export type NoPictureReason = (typeof noPictureReasons)[number]
export type AcceptedMedia = v.InferOutput<typeof acceptedSchema>
export type PeerStatus = v.InferOutput<typeof peerStatusSchema>

const STATUS_CHARACTERS_MAX = 1_000
const messageSchema = v.pipe(v.string(), v.maxLength(STATUS_CHARACTERS_MAX), v.parseJson(), peerStatusSchema)

/** Parses a message of the data channel. Throws `bad-request` if it is not a status. */
export function parsePeerStatus(message: unknown): PeerStatus {
  return parse(messageSchema, message)
}
