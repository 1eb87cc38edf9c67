import { AppError } from '#protocol/errors.ts'
import { span } from '#workers/trace.ts'
import { troubleOf } from '../domain/media-trouble.ts'
import type { Camera, DeviceChange, MediaDevice, MediaKind } from '../domain/ports.ts'
import { relaxed, type Wishes, wishesFor } from './media-constraints.ts'
import { measureLevel } from './sound-level.ts'

/** What only some browsers tell about the machine. */
type NavigatorHints = Navigator & {
  connection?: { downlink?: number }
  deviceMemory?: number
}

const WEAK_CORES = 4
const WEAK_MEMORY_GB = 4

const kinds: Record<MediaDeviceKind, MediaDevice['kind']> = {
  videoinput: 'camera',
  audioinput: 'microphone',
  audiooutput: 'speaker',
}

/** Chromium lists the system's choice a second time under these ids; no choice at all means the same. */
const aliases = new Set(['', 'default', 'communications'])

const permissionNames = ['camera', 'microphone'] as const

export function createCamera(): Camera<MediaStream> {
  const hints: NavigatorHints = navigator
  /** Not there at all on a page without https. */
  const media = navigator.mediaDevices as MediaDevices | undefined

  async function ask(wishes: Wishes): Promise<MediaStream> {
    if (!media) throw new DOMException('There are no media devices', 'SecurityError')
    for (let left: Wishes | null = wishes; ; ) {
      try {
        return await media.getUserMedia(left)
      } catch (thrown) {
        const present = (await media.enumerateDevices()).map(({ deviceId }) => deviceId)
        left = relaxed(left, thrown, new Set(present))
        if (!left) throw thrown
      }
    }
  }

  async function refusal(thrown: unknown): Promise<AppError> {
    const { name, message } = thrown instanceof Error ? thrown : { name: String(thrown), message: '' }
    const isSecure = isSecureContext && media !== undefined
    const trouble = troubleOf({ name, message, permission: await permission(), isSecure })
    return new AppError('camera-refused', message, { reason: name, trouble })
  }

  async function opened(wishes: Wishes): Promise<MediaStream> {
    const since = performance.now()
    try {
      return await ask(wishes)
    } catch (thrown) {
      throw await refusal(thrown)
    } finally {
      span('Call setup', 'camera', since)
    }
  }

  return {
    open: (settings, choice) => opened(wishesFor(settings, choice)),

    async reopen(kind, stream, settings, choice) {
      const { video, audio } = wishesFor(settings, choice)
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

    deviceOf(stream, kind) {
      const track = stream.getTracks().find((each) => each.kind === kind)
      return track?.getSettings().deviceId ?? ''
    },

    measure: measureLevel,

    watch(stream, listener) {
      const listening = new AbortController()
      const { signal } = listening
      for (const track of stream.getTracks()) {
        const kind: MediaKind = track.kind === 'video' ? 'video' : 'audio'
        track.addEventListener('ended', () => listener(kind, 'ended'), { signal })
        track.addEventListener('mute', () => listener(kind, 'paused'), { signal })
        track.addEventListener('unmute', () => listener(kind, 'resumed'), { signal })
      }
      return () => listening.abort()
    },

    async devices() {
      const all = (await media?.enumerateDevices()) ?? []
      return all
        .filter(({ deviceId }) => !aliases.has(deviceId))
        .map(({ kind, deviceId, label }) => ({ kind: kinds[kind], id: deviceId, label }))
    },

    onDevices(listener) {
      const listening = new AbortController()
      const { signal } = listening
      media?.addEventListener('devicechange', () => listener('devices'), { signal })
      document.addEventListener('visibilitychange', () => !document.hidden && listener('shown'), { signal })
      for (const name of permissionNames) void onAllowed(name, listener, signal)
      return () => listening.abort()
    },

    downlink: () => hints.connection?.downlink ?? null,
    weakCpu: () => navigator.hardwareConcurrency <= WEAK_CORES || (hints.deviceMemory ?? Infinity) < WEAK_MEMORY_GB,
    portrait: () => matchMedia('(orientation: portrait)').matches,
  }
}

/** Null where the browser does not know this name. */
async function statusOf(name: (typeof permissionNames)[number]): Promise<PermissionStatus | null> {
  try {
    return await navigator.permissions.query({ name })
  } catch {
    return null
  }
}

/** What holds for both: the stricter of the two. */
async function permission(): Promise<PermissionState | null> {
  const states = (await Promise.all(permissionNames.map(statusOf))).map((status) => status?.state)
  return (['denied', 'prompt', 'granted'] as const).find((state) => states.includes(state)) ?? null
}

/** A permission that was taken away is no reason to ask again; the tracks end by themselves. */
async function onAllowed(
  name: (typeof permissionNames)[number],
  listener: (change: DeviceChange) => void,
  signal: AbortSignal,
): Promise<void> {
  const status = await statusOf(name)
  status?.addEventListener('change', () => status.state !== 'denied' && listener('permission'), { signal })
}
