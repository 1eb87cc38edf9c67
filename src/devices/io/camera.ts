import { AppError } from '#protocol/errors.ts'
import { span } from '#workers/trace.ts'
import type { Clock } from '../../platform/clock.ts'
import { awaitPicture } from '../../platform/io/frame-grabber.ts'
import type { Camera, MediaDevice, MediaKind, TrackChange } from '../ports.ts'
import { troubleOf } from '../rules/media-trouble.ts'
import { type Constraints, constraintsFor, createMediaRequest, stop } from './media-request.ts'

/** Properties of `navigator` that only some browsers have. */
type NavigatorHints = Navigator & {
  connection?: { downlink?: number }
  deviceMemory?: number
}

/** Size of a black picture where the browser does not tell the camera's size. */
const PICTURE = { width: 640, height: 480 }
/** Frames a second of a black picture: few enough to cost nothing, and enough for the peer's browser to show that the picture goes on. */
const BLACK_FPS = 5
/** Level in dB that the meter shows as silence. */
const FLOOR_DB = -60
/** Number of samples for a measurement of the level. */
const LEVEL_SAMPLES = 512
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
  const { permissions, media, list, open } = createMediaRequest(clock)

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
    darken,
    watch: watchTracks,
    measure: measureLevel,

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

    async devices() {
      const all = await list()
      if (!all) throw new Error('The browser did not answer')
      return listed(all)
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

function darken(stream: MediaStream): MediaStream {
  const [camera] = stream.getVideoTracks()
  const { width = PICTURE.width, height = PICTURE.height } = camera?.getSettings() ?? {}
  // Throws where the browser makes none: then the camera stays open, and switched off.
  const black = blackTrack(width, height)
  camera?.stop()
  return new MediaStream([black, ...stream.getAudioTracks()])
}

function watchTracks(stream: MediaStream, listener: (kind: MediaKind, what: TrackChange) => void): () => void {
  const listening = new AbortController()
  const { signal } = listening
  for (const track of stream.getTracks()) {
    const kind: MediaKind = track.kind === 'video' ? 'video' : 'audio'
    // The switch of the device, or a phone call, may have paused it before. No event tells of that.
    if (track.muted && track.readyState === 'live') listener(kind, 'paused')
    track.addEventListener('ended', () => listener(kind, 'ended'), { signal })
    track.addEventListener('mute', () => listener(kind, 'paused'), { signal })
    track.addEventListener('unmute', () => listener(kind, 'resumed'), { signal })
  }
  return () => listening.abort()
}

/** Chromium marks the system's own device by a second entry, other browsers list it first. */
function listed(all: readonly MediaDeviceInfo[]): MediaDevice[] {
  const isOwn = ({ kind, groupId }: MediaDeviceInfo) =>
    all.some((each) => each.deviceId === 'default' && each.kind === kind && each.groupId === groupId)
  return all
    .filter(({ deviceId }) => !aliases.has(deviceId))
    .sort((one, other) => Number(isOwn(other)) - Number(isOwn(one)))
    .map(({ kind, deviceId, label }) => ({ kind: kinds[kind], id: deviceId, label }))
}

/** Returns a black track of this size in pixels. It sends frames until it is stopped. */
function blackTrack(width: number, height: number): MediaStreamTrack {
  const canvas = document.createElement('canvas')
  Object.assign(canvas, { width, height })
  const context = canvas.getContext('2d', { alpha: false })
  const [track] = canvas.captureStream(BLACK_FPS).getVideoTracks()
  if (!context || !track) throw new Error('No canvas to capture')
  // A canvas gives a frame only when it is painted.
  const paint = () => context.fillRect(0, 0, width, height)
  paint()
  const timer = setInterval(() => {
    // There is no event when the page itself stops the track.
    if (track.readyState === 'ended') clearInterval(timer)
    else paint()
  }, 1_000 / BLACK_FPS)
  return track
}

/** Calls the listener with the loudness, 0 to 1, in every animation frame. Returns a function that stops it. */
function measureLevel(stream: MediaStream, listener: (level: number) => void): () => void {
  const tracks = stream.getAudioTracks()
  if (tracks.length === 0) return () => {}
  let end = () => {}
  // Deferred so that the meter renders first: creating an AudioContext is slow on a slow device.
  let frame = requestAnimationFrame(() => {
    frame = requestAnimationFrame(begin)
  })

  function begin(): void {
    const context = new AudioContext()
    const source = context.createMediaStreamSource(new MediaStream(tracks))
    const analyser = new AnalyserNode(context, { fftSize: LEVEL_SAMPLES })
    const samples = new Float32Array(LEVEL_SAMPLES)
    source.connect(analyser)
    end = () => {
      source.disconnect()
      void context.close()
    }

    function read(): void {
      analyser.getFloatTimeDomainData(samples)
      listener(levelOf(samples))
      frame = requestAnimationFrame(read)
    }
    read()
  }

  return () => {
    cancelAnimationFrame(frame)
    end()
  }
}

/** Returns the loudness from 0 to 1, linear in decibels as people hear it. */
function levelOf(samples: Float32Array): number {
  let sum = 0
  for (const sample of samples) sum += sample * sample
  const decibels = 10 * Math.log10(sum / samples.length)
  return Math.min(1, Math.max(0, 1 - decibels / FLOOR_DB))
}
