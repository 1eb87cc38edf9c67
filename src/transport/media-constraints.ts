import type { MediaChoice } from '../domain/ports.ts'
import type { MediaSettings } from '../domain/quality-tier.ts'

const sizes = ['width', 'height', 'frameRate'] as const

export type Wishes = { video: MediaTrackConstraints | false; audio: MediaTrackConstraints | false }

/** A chosen device is asked for exactly: as a mere ideal it loses to another one that suits the picture's size better. */
export function wishesFor({ video, audio }: MediaSettings, choice: MediaChoice) {
  const { camera, microphone, facing } = choice
  return {
    video: { ...video, ...(camera === '' ? { facingMode: facing } : { deviceId: { exact: camera } }) },
    audio: { ...audio, ...(microphone === '' ? {} : { deviceId: { exact: microphone } }) },
  }
}

/**
 * What to ask for after a refusal, one condition less each time; null where none of the conditions was the cause. `present`
 * holds the ids of the devices that there are, as far as the browser tells.
 */
export function relaxed({ video, audio }: Wishes, thrown: unknown, present: ReadonlySet<string>): Wishes | null {
  const { name, constraint } = refusalOf(thrown)
  if (name !== 'NotFoundError' && name !== 'OverconstrainedError') return null
  // Firefox knows no other word for an exact device that is gone.
  const isGone = name === 'NotFoundError' || constraint === 'deviceId'
  if (isGone || !video || !isLimited(video)) return withoutGone({ video, audio }, present)
  const size = sizes.find((each) => each === constraint)
  const minimum = size && Object.hasOwn(rangeOf(video[size]), 'min')
  return { video: minimum ? withoutMinimum(video, size) : idealsOf(video), audio }
}

/** Not by the class of the error, which not every browser has. */
function refusalOf(thrown: unknown): { name: string; constraint: string } {
  const { name, constraint }: { name?: unknown; constraint?: unknown } = Object(thrown)
  return { name: String(name), constraint: typeof constraint === 'string' ? constraint : '' }
}

const rangeOf = (wish: ConstrainULong | ConstrainDouble | undefined): ConstrainULongRange =>
  typeof wish === 'object' ? wish : {}

function exactId(wishes: MediaTrackConstraints | false): string | null {
  if (!wishes || typeof wishes.deviceId !== 'object' || !('exact' in wishes.deviceId)) return null
  return String(wishes.deviceId.exact)
}

const isLimited = (video: MediaTrackConstraints) =>
  sizes.some((size) => 'min' in rangeOf(video[size]) || 'max' in rangeOf(video[size]))

/** The other device stays as it was chosen. Where nobody can tell which of them is gone, both give way. */
function withoutGone({ video, audio }: Wishes, present: ReadonlySet<string>): Wishes | null {
  const ids = [exactId(video), exactId(audio)].filter((id) => id !== null)
  if (ids.length === 0) return null
  const gone = ids.filter((id) => !present.has(id))
  const loosened = gone.length === 0 ? ids : gone
  const loose = <W extends MediaTrackConstraints | false>(wishes: W) => {
    const id = exactId(wishes)
    return id !== null && loosened.includes(id) ? { ...wishes, deviceId: { ideal: id } } : wishes
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
