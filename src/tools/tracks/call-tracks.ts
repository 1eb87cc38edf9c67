import { span, type TraceColour, type TraceTrack } from '#workers/trace.ts'
import type { CallSample, Counter } from '../../call/rules/call-reading.ts'
import type { GovernorStep } from '../../call/rules/governor.ts'
import { decisionsOf } from '../../call/rules/governor-reasons.ts'
import type { SendLimits } from '../../call/rules/send-ladder.ts'

/** Values from which on a curve counts as fair and as bad. `bad` is below `fair` if smaller values are worse. */
type Scale = { fair: number; bad: number }

/** The same shares as for the governor's signal. People hear concealed sound from about 3 % on. */
const LOSS: Scale = { fair: 0.03, bad: 0.1 }
const ROUND_TRIP_MS: Scale = { fair: 300, bad: 600 }
const BITRATE_KBPS: Scale = { fair: 220, bad: 110 }
const FRAME_RATE: Scale = { fair: 15, bad: 5 }
const LINES: Scale = { fair: 360, bad: 180 }

const SECOND_MS = 1_000
const BITS = 8
const PERCENT = 100

/** Draws the curves and the decisions of a reading. */
export function drawStep(step: GovernorStep): void {
  const { before, sample } = step
  if (before.last) drawCurves(before.last, sample)
  for (const decision of decisionsOf(step)) span('Governor', decision, sample.at, sample.at)
}

export function drawLimits(limits: SendLimits): void {
  const { noPicture, stills, maxKbps, maxFrameRate, scaleDownBy, layers, soundKbps, ceilingKbps } = limits
  const frames = stills ? 'stills' : `${maxFrameRate} frames a second`
  const size = `size / ${scaleDownBy.toFixed(1)}`
  const picture = noPicture ? `no picture (${noPicture})` : `${maxKbps} kbit/s, ${frames}, ${size}, layers ${layers}`
  const ceiling = ceilingKbps === null ? '' : `, ceiling ${ceilingKbps} kbit/s`
  const now = performance.now()
  span('Governor', `sends at most ${picture}, sound ${soundKbps} kbit/s${ceiling}`, now, now)
}

/** Draws each curve as spans from reading to reading. The colour shows how good a value is. */
function drawCurves(before: CallSample, now: CallSample): void {
  const seconds = Math.max(1, now.at - before.at) / SECOND_MS
  const grown = (name: Counter) => Math.max(0, now[name] - before[name])
  const rate = (name: Counter) => grown(name) / seconds
  const kbps = (name: Counter) => (rate(name) * BITS) / SECOND_MS
  const draw = (track: TraceTrack, label: string, value: number, scale: Scale) =>
    span(track, label, before.at, now.at, colourOf(value, scale))

  const room = now.availableKbps === null ? '' : `, estimate ${Math.round(now.availableKbps)}`
  const [up, down] = [kbps('bytesSent'), kbps('bytesReceived')]
  draw('Bitrate', `${Math.round(up)} kbit/s up, ${Math.round(down)} down${room}`, Math.min(up, down), BITRATE_KBPS)

  const inLoss = share(grown('packetsLost'), grown('packetsLost') + grown('packetsReceived'))
  const soundLoss = share(grown('audioPacketsLost'), grown('audioPacketsLost') + grown('audioPacketsReceived'))
  const outLoss = now.remoteLoss ?? 0
  const losses = `${percent(outLoss)} up, ${percent(inLoss)} down, sound ${percent(soundLoss)} down`
  draw('Loss', losses, Math.max(outLoss, inLoss, soundLoss), LOSS)

  if (now.roundTripMs !== null) draw('Round trip', `${Math.round(now.roundTripMs)} ms`, now.roundTripMs, ROUND_TRIP_MS)

  const [encoded, decoded] = [rate('framesEncoded'), rate('framesDecoded')]
  const frames = `${Math.round(encoded)} sent, ${Math.round(decoded)} shown, ${grown('framesDropped')} dropped`
  draw('Frame rate', frames, Math.min(encoded, decoded), FRAME_RATE)

  const lines = `${now.sentHeight} sent, ${now.receivedHeight} received, limited by ${now.limitedBy}`
  draw('Lines', lines, Math.min(now.sentHeight, now.receivedHeight), LINES)

  if (grown('soundSamples') === 0) return
  const concealed = share(grown('concealedSamples'), grown('soundSamples'))
  draw('Concealed sound', percent(concealed), concealed, LOSS)
}

function colourOf(value: number, { fair, bad }: Scale): TraceColour {
  const isPast = (limit: number) => (bad > fair ? value >= limit : value <= limit)
  if (isPast(bad)) return 'error'
  return isPast(fair) ? 'primary-dark' : 'primary-light'
}

function share(part: number, whole: number): number {
  return whole === 0 ? 0 : part / whole
}

function percent(part: number): string {
  return `${(part * PERCENT).toFixed(1)} %`
}
