import type { Clock } from '../../platform/clock.ts'
import { within } from '../../platform/rules/within.ts'
import type { MediaChoice } from '../ports.ts'
import type { MediaSettings } from '../rules/quality-tier.ts'

/**
 * Some drivers never answer, nor do some browsers after the user closed their question. A slow phone opens its camera within five seconds.
 */
const OPEN_MS = 15_000
/** Longest wait while the browser asks the user. */
const QUESTION_MS = 60_000
/** The list of devices and the permissions come from the browser alone. */
const BROWSER_MS = 3_000

/** Asks the browser for devices, with a limit of time for each answer. */
export function createMediaRequest(clock: Pick<Clock, 'after'>) {
  const permissions = createMediaPermissions(clock)
  /** Undefined on a page without HTTPS. */
  const media = navigator.mediaDevices as MediaDevices | undefined

  /** Resolves with null if there is no answer. While the page is hidden a browser may keep its answer back. */
  async function answer(request: Promise<MediaStream>): Promise<MediaStream | null> {
    for (;;) {
      const wasHidden = document.hidden
      const opened =
        (await within(clock, OPEN_MS, request, null)) ??
        ((await permissions.state()) === 'granted' ? null : await within(clock, QUESTION_MS, request, null))
      if (opened || !(wasHidden || document.hidden)) return opened
    }
  }

  /** Rejects with a TimeoutError if the browser does not answer in time. Devices that open later are closed. */
  async function getMedia(from: MediaDevices, constraints: Constraints): Promise<MediaStream> {
    const request = from.getUserMedia(constraints)
    const opened = await answer(request)
    if (opened) return opened
    request.then(stop, () => {})
    throw new DOMException('The browser did not answer', 'TimeoutError')
  }

  /** Resolves with null if the browser does not answer. */
  const list = async () => (media ? await within(clock, BROWSER_MS, media.enumerateDevices(), null) : [])

  return {
    permissions,
    media,
    list,
    /** Opens devices; a condition that they cannot meet is dropped. Rejects as the browser does, or with a TimeoutError. */
    async open(constraints: Constraints): Promise<MediaStream> {
      if (!media) throw new DOMException('There are no media devices', 'SecurityError')
      for (let left: Constraints | null = constraints; ; ) {
        try {
          return await getMedia(media, left)
        } catch (thrown) {
          const present = ((await list()) ?? []).map(({ deviceId }) => deviceId)
          left = relaxed(left, thrown, new Set(present))
          if (!left) throw thrown
        }
      }
    },
  }
}

export function stop(stream: MediaStream): void {
  for (const track of stream.getTracks()) track.stop()
}

const names = ['camera', 'microphone'] as const
type Name = (typeof names)[number]

function createMediaPermissions(clock: Pick<Clock, 'after'>) {
  /** Resolves with null if the browser does not support this permission, or does not answer. */
  async function statusOf(name: Name): Promise<PermissionStatus | null> {
    try {
      return await within(clock, BROWSER_MS, navigator.permissions.query({ name }), null)
    } catch {
      return null
    }
  }

  async function follow(name: Name, listener: () => void, signal: AbortSignal): Promise<void> {
    const status = await statusOf(name)
    status?.addEventListener('change', () => status.state !== 'denied' && listener(), { signal })
  }

  return {
    /** Resolves with the stricter of the two permissions; null if the browser supports neither. */
    async state(): Promise<PermissionState | null> {
      const states = (await Promise.all(names.map(statusOf))).map((status) => status?.state)
      return (['denied', 'prompt', 'granted'] as const).find((state) => states.includes(state)) ?? null
    },
    /** Listens for granted permissions only: after a revocation the tracks end by themselves. */
    onAllowed(listener: () => void, signal: AbortSignal): void {
      for (const name of names) void follow(name, listener, signal)
    },
  }
}

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

/** Loosens the device that is gone and keeps the other; loosens both devices if it is unknown which of them is gone. */
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
