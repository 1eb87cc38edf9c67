import { AppError } from '#protocol/errors.ts'
import { span } from '#workers/trace.ts'
import type { Clock } from '../../platform/clock.ts'
import { awaitPicture } from '../../platform/io/frame-grabber.ts'
import type { Camera, MediaDevice, MediaKind } from '../ports.ts'
import { troubleOf } from '../rules/media-trouble.ts'
import { blackTrack } from './black-picture.ts'
import { type Constraints, constraintsFor } from './media-constraints.ts'
import { createMediaPermissions } from './media-permissions.ts'
import { createMediaRequest, stop } from './media-request.ts'
import { measureLevel } from './sound-level.ts'

/** Properties that only some browsers have. */
type NavigatorHints = Navigator & {
  connection?: { downlink?: number }
  deviceMemory?: number
}

/** Size of the black picture if the browser does not report the camera's size. */
const PICTURE = { width: 640, height: 480 }
const WEAK_CORES = 4
const WEAK_MEMORY_GB = 4

const kinds: Record<MediaDeviceKind, MediaDevice['kind']> = {
  videoinput: 'camera',
  audioinput: 'microphone',
  audiooutput: 'speaker',
}

/** Ids under which Chromium lists the system's default device a second time; an empty id has the same meaning. */
const aliases = new Set(['', 'default', 'communications'])

export function createCamera(clock: Pick<Clock, 'after'>): Camera<MediaStream> {
  const hints: NavigatorHints = navigator
  const permissions = createMediaPermissions(clock)
  const { media, list, open } = createMediaRequest(clock, permissions)

  async function refusal(thrown: unknown): Promise<AppError> {
    const { name, message } = thrown instanceof Error ? thrown : { name: String(thrown), message: '' }
    const isSecure = isSecureContext && media !== undefined
    const trouble = troubleOf({ name, message, permission: await permissions.state(), isSecure })
    return new AppError('camera-refused', message, { reason: name, trouble })
  }

  async function opened(constraints: Constraints): Promise<MediaStream> {
    const since = performance.now()
    try {
      return await open(constraints)
    } catch (thrown) {
      throw await refusal(thrown)
    } finally {
      span('Call setup', 'camera', since)
    }
  }

  return {
    open: (settings, choice) => opened(constraintsFor(settings, choice)),

    async reopen(replaced, stream, settings, choice) {
      const { video, audio } = constraintsFor(settings, choice)
      const kept = stream.getTracks().filter(({ kind }) => !replaced.some((each) => each === kind))
      for (const track of stream.getTracks()) if (!kept.includes(track)) track.stop()
      const reopened = await opened({
        video: replaced.includes('video') && video,
        audio: replaced.includes('audio') && audio,
      })
      return new MediaStream([...kept, ...reopened.getTracks()])
    },

    close: stop,
    shows: awaitPicture,

    darken(stream) {
      const [camera] = stream.getVideoTracks()
      const { width = PICTURE.width, height = PICTURE.height } = camera?.getSettings() ?? {}
      // If the browser cannot make a black track, this throws, and the camera stays open but disabled.
      const black = blackTrack(width, height)
      camera?.stop()
      return new MediaStream([black, ...stream.getAudioTracks()])
    },

    enable(stream, kind, on) {
      for (const track of stream.getTracks()) if (track.kind === kind) track.enabled = on
    },

    async resize(stream, { video }) {
      for (const track of stream.getVideoTracks()) await track.applyConstraints(video)
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
        // The track may already be paused by a switch on the device or by a phone call. There is no event for that.
        if (track.muted && track.readyState === 'live') listener(kind, 'paused')
        track.addEventListener('ended', () => listener(kind, 'ended'), { signal })
        track.addEventListener('mute', () => listener(kind, 'paused'), { signal })
        track.addEventListener('unmute', () => listener(kind, 'resumed'), { signal })
      }
      return () => listening.abort()
    },

    async devices() {
      const all = await list()
      if (!all) throw new Error('The browser did not answer')
      // Only Chromium marks the system's own device; other browsers list it first.
      const isOwn = ({ kind, groupId }: MediaDeviceInfo) =>
        all.some((each) => each.deviceId === 'default' && each.kind === kind && each.groupId === groupId)
      return all
        .filter(({ deviceId }) => !aliases.has(deviceId))
        .sort((one, other) => Number(isOwn(other)) - Number(isOwn(one)))
        .map(({ kind, deviceId, label }) => ({ kind: kinds[kind], id: deviceId, label }))
    },

    isAllowed: async () => (await permissions.state()) === 'granted',

    onDevices(listener) {
      const listening = new AbortController()
      const { signal } = listening
      media?.addEventListener('devicechange', () => listener('devices'), { signal })
      document.addEventListener('visibilitychange', () => !document.hidden && listener('shown'), { signal })
      permissions.onAllowed(() => listener('permission'), signal)
      return () => listening.abort()
    },

    downlink: () => hints.connection?.downlink ?? null,
    weakCpu: () => navigator.hardwareConcurrency <= WEAK_CORES || (hints.deviceMemory ?? Infinity) < WEAK_MEMORY_GB,
    portrait: () => matchMedia('(orientation: portrait)').matches,
  }
}
