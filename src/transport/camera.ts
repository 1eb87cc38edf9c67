import { AppError } from '#protocol/errors.ts'
import { span } from '#workers/trace.ts'
import { troubleOf } from '../domain/media-trouble.ts'
import type { Camera, MediaChoice, MediaDevice, MediaKind } from '../domain/ports.ts'
import type { MediaSettings } from '../domain/quality-tier.ts'

/** What only some browsers tell about the machine. */
type NavigatorHints = Navigator & {
  connection?: { downlink?: number }
  deviceMemory?: number
}

const WEAK_CORES = 4
const WEAK_MEMORY_GB = 4

const sizes = ['width', 'height', 'frameRate'] as const
type Size = (typeof sizes)[number]

const kinds: Record<MediaDeviceKind, MediaDevice['kind']> = {
  videoinput: 'camera',
  audioinput: 'microphone',
  audiooutput: 'speaker',
}

export function createCamera(): Camera<MediaStream> {
  const hints: NavigatorHints = navigator
  /** Not there at all on a page without https. */
  const media = navigator.mediaDevices as MediaDevices | undefined

  async function ask(constraints: MediaStreamConstraints): Promise<MediaStream> {
    if (!media) throw new DOMException('There are no media devices', 'SecurityError')
    return media.getUserMedia(constraints)
  }

  /** Drops the minimum of each wish that the camera cannot meet; what it names twice, or not at all, ends in ideals alone. */
  async function openRelaxed({ video, audio }: Constraints): Promise<MediaStream> {
    if (!video) return ask({ video: false, audio })
    const wishes: MediaTrackConstraints = { ...video }
    const relaxed = new Set<Size>()
    for (;;) {
      try {
        return await ask({ video: wishes, audio })
      } catch (thrown) {
        const wish = refusedWish(thrown)
        if (wish === null) throw thrown
        if (wish === 'unnamed' || relaxed.has(wish)) return ask({ video: idealsOf(video), audio })
        relaxed.add(wish)
        const { ideal, max } = video[wish]
        wishes[wish] = { ideal, max }
      }
    }
  }

  async function refusal(thrown: unknown): Promise<AppError> {
    const { name, message } = thrown instanceof Error ? thrown : { name: String(thrown), message: '' }
    const permission = (await permissionOf('camera')) ?? (await permissionOf('microphone'))
    const trouble = troubleOf({ name, message, permission, isSecure: isSecureContext && media !== undefined })
    return new AppError('camera-refused', message, { reason: name, trouble })
  }

  async function opened(constraints: Constraints): Promise<MediaStream> {
    const since = performance.now()
    try {
      return await openRelaxed(constraints)
    } catch (thrown) {
      throw await refusal(thrown)
    } finally {
      span('Call setup', 'camera', since)
    }
  }

  return {
    async allowed() {
      return (await permissionOf('camera')) === 'granted' && (await permissionOf('microphone')) === 'granted'
    },

    open: (settings, choice) => opened(constraintsOf(settings, choice)),

    async reopen(kind, stream, settings, choice) {
      const { video, audio } = constraintsOf(settings, choice)
      for (const track of stream.getTracks()) if (track.kind === kind) track.stop()
      const fresh = await opened(kind === 'video' ? { video, audio: false } : { video: false, audio })
      return new MediaStream([...stream.getTracks().filter((track) => track.kind !== kind), ...fresh.getTracks()])
    },

    close(stream) {
      for (const track of stream.getTracks()) track.stop()
    },

    enable(stream, kind, on) {
      for (const track of stream.getTracks()) if (track.kind === kind) track.enabled = on
    },

    watch(stream, listener) {
      const stops = stream.getTracks().map((track) => {
        const kind: MediaKind = track.kind === 'video' ? 'video' : 'audio'
        const ended = () => listener(kind, 'ended')
        const muted = () => listener(kind, 'paused')
        const unmuted = () => listener(kind, 'resumed')
        track.addEventListener('ended', ended)
        track.addEventListener('mute', muted)
        track.addEventListener('unmute', unmuted)
        return () => {
          track.removeEventListener('ended', ended)
          track.removeEventListener('mute', muted)
          track.removeEventListener('unmute', unmuted)
        }
      })
      return () => stops.forEach((stop) => void stop())
    },

    async devices() {
      const all = (await media?.enumerateDevices()) ?? []
      return all
        .filter(({ deviceId }) => deviceId !== '')
        .map(({ kind, deviceId, label }) => ({ kind: kinds[kind], id: deviceId, label }))
    },

    onDevices(listener) {
      media?.addEventListener('devicechange', listener)
      const statuses: PermissionStatus[] = []
      let over = false
      for (const name of ['camera', 'microphone'] as const) {
        navigator.permissions
          ?.query({ name })
          .then((status) => {
            if (over) return
            status.addEventListener('change', listener)
            statuses.push(status)
          })
          // A browser that does not know the name tells nothing of it.
          .catch(() => {})
      }
      return () => {
        over = true
        media?.removeEventListener('devicechange', listener)
        for (const status of statuses) status.removeEventListener('change', listener)
      }
    },

    downlink: () => hints.connection?.downlink ?? null,
    weakCpu: () => navigator.hardwareConcurrency <= WEAK_CORES || (hints.deviceMemory ?? Infinity) < WEAK_MEMORY_GB,
    portrait: () => matchMedia('(orientation: portrait)').matches,
  }
}

async function permissionOf(name: 'camera' | 'microphone'): Promise<PermissionState | null> {
  try {
    // Not every browser knows these two names; such a one rejects.
    return (await navigator.permissions.query({ name })).state
  } catch {
    return null
  }
}

type VideoWish = MediaSettings['video'] & Pick<MediaTrackConstraints, 'deviceId' | 'facingMode'>
type Constraints = { video: VideoWish | false; audio: MediaTrackConstraints | false }

/** A chosen device is a wish, not a condition: one that was unplugged is made up for by another. */
function constraintsOf({ video, audio }: MediaSettings, { camera, microphone, facing }: MediaChoice) {
  return {
    video: { ...video, ...(camera === '' ? { facingMode: facing } : { deviceId: camera }) },
    audio: { ...audio, ...(microphone === '' ? {} : { deviceId: microphone }) },
  }
}

function idealsOf({ width, height, frameRate, ...rest }: VideoWish): MediaTrackConstraints {
  return {
    ...rest,
    width: { ideal: width.ideal },
    height: { ideal: height.ideal },
    frameRate: { ideal: frameRate.ideal },
  }
}

function refusedWish(thrown: unknown): Size | 'unnamed' | null {
  if (!(thrown instanceof OverconstrainedError)) return null
  return sizes.find((size) => size === thrown.constraint) ?? 'unnamed'
}
