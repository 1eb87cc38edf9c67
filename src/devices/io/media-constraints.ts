import type { MediaChoice } from '../ports.ts'
import type { MediaSettings } from '../rules/quality-tier.ts'

const sizes = ['width', 'height', 'frameRate'] as const

export type Constraints = { video: MediaTrackConstraints | false; audio: MediaTrackConstraints | false }

/**
 * Returns the constraints of a choice. A chosen device is an `exact` constraint: with `ideal`, the browser would prefer
 * another device that fits the picture size better.
 */
export function constraintsFor({ video, audio }: MediaSettings, choice: MediaChoice) {
  const { camera, microphone, facing } = choice
  return {
    video: { ...video, ...(camera === '' ? { facingMode: facing } : { deviceId: { exact: camera } }) },
    audio: { ...audio, ...(microphone === '' ? {} : { deviceId: { exact: microphone } }) },
  }
}

/**
 * Returns the constraints to try after a rejection, with one condition removed; null if no condition was the cause.
 * `present` contains the ids of the available devices, as far as the browser reports them.
 */
export function relaxed(
  { video, audio }: Constraints,
  thrown: unknown,
  present: ReadonlySet<string>,
): Constraints | null {
  const { name, constraint } = refusalOf(thrown)
  if (name !== 'NotFoundError' && name !== 'OverconstrainedError') return null
  // Firefox reports a missing exact device as NotFoundError.
  const isGone = name === 'NotFoundError' || constraint === 'deviceId'
  if (isGone || !video || !isLimited(video)) return withoutGone({ video, audio }, present)
  const size = sizes.find((each) => each === constraint)
  const minimum = size && Object.hasOwn(rangeOf(video[size]), 'min')
  return { video: minimum ? withoutMinimum(video, size) : idealsOf(video), audio }
}

/** Reads name and constraint without `OverconstrainedError`, which not every browser has. */
function refusalOf(thrown: unknown): { name: string; constraint: string } {
  const { name, constraint }: { name?: unknown; constraint?: unknown } = Object(thrown)
  return { name: String(name), constraint: typeof constraint === 'string' ? constraint : '' }
}

const rangeOf = (range: ConstrainULong | ConstrainDouble | undefined): ConstrainULongRange =>
  typeof range === 'object' ? range : {}

function exactId(constraints: MediaTrackConstraints | false): string | null {
  if (!constraints || typeof constraints.deviceId !== 'object' || !('exact' in constraints.deviceId)) return null
  return String(constraints.deviceId.exact)
}

const isLimited = (video: MediaTrackConstraints) =>
  sizes.some((size) => 'min' in rangeOf(video[size]) || 'max' in rangeOf(video[size]))

/**
 * Removes the condition on the device that is gone and keeps the other. Removes both if it is unknown which device is
 * gone. Returns null if there is none.
 */
function withoutGone({ video, audio }: Constraints, present: ReadonlySet<string>): Constraints | null {
  const ids = [exactId(video), exactId(audio)].filter((id) => id !== null)
  if (ids.length === 0) return null
  const gone = ids.filter((id) => !present.has(id))
  const loosened = gone.length === 0 ? ids : gone
  const loose = <W extends MediaTrackConstraints | false>(constraints: W) => {
    const id = exactId(constraints)
    return id !== null && loosened.includes(id) ? { ...constraints, deviceId: { ideal: id } } : constraints
  }
  return { video: loose(video), audio: loose(audio) }
}

function withoutMinimum(video: MediaTrackConstraints, size: (typeof sizes)[number]): MediaTrackConstraints {
  const { min: _, ...range } = rangeOf(video[size])
  return { ...video, [size]: range }
}

function idealsOf(video: MediaTrackConstraints): MediaTrackConstraints {
  const ideals = sizes.map((size) => [size, { ideal: rangeOf(video[size]).ideal }])
  return { ...video, ...Object.fromEntries(ideals) }
}
