import { AppError } from '#protocol/errors.ts'
import { span } from '#workers/trace.ts'
import { troubleOf } from '../domain/media-trouble.ts'
import type { Camera, Clock, DeviceChange, MediaDevice, MediaKind } from '../domain/ports.ts'
import { within } from '../domain/within.ts'
import { awaitPicture } from './frame-grabber.ts'
import { type Constraints, constraintsFor, relaxed } from './media-constraints.ts'
import { measureLevel } from './sound-level.ts'

/** Properties that only some browsers have. */
type NavigatorHints = Navigator & {
  connection?: { downlink?: number }
  deviceMemory?: number
}

/** Some drivers never answer, nor do some browsers whose question was closed. A slow phone opens its camera within five seconds. */
const OPEN_MS = 15_000
/** For a user who reads the browser's question. */
const QUESTION_MS = 60_000
/** Lists and permissions come from the browser alone. */
const LIST_MS = 3_000

const WEAK_CORES = 4
const WEAK_MEMORY_GB = 4

const kinds: Record<MediaDeviceKind, MediaDevice['kind']> = {
  videoinput: 'camera',
  audioinput: 'microphone',
  audiooutput: 'speaker',
}

/** Ids under which Chromium lists the system's default device a second time; an empty id has the same meaning. */
const aliases = new Set(['', 'default', 'communications'])

const permissionNames = ['camera', 'microphone'] as const

export function createCamera(clock: Pick<Clock, 'after'>): Camera<MediaStream> {
  const hints: NavigatorHints = navigator
  /** Undefined on a page without https. */
  const media = navigator.mediaDevices as MediaDevices | undefined

  /** Rejects with a TimeoutError where the browser does not answer. What it opens later is closed at once. */
  async function getMedia(from: MediaDevices, constraints: Constraints): Promise<MediaStream> {
    const request = from.getUserMedia(constraints)
    const opened =
      (await within(clock, OPEN_MS, request, null)) ??
      ((await permission()) === 'granted' ? null : await within(clock, QUESTION_MS, request, null))
    if (opened) return opened
    request.then(stop, () => {})
    throw new DOMException('The browser did not answer', 'TimeoutError')
  }

  /** Resolves with null if the browser does not answer. */
  const list = async () => (media ? await within(clock, LIST_MS, media.enumerateDevices(), null) : [])

  async function ask(constraints: Constraints): Promise<MediaStream> {
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
  }

  /** Resolves with null if the browser does not support this permission, or does not answer. */
  async function statusOf(name: (typeof permissionNames)[number]): Promise<PermissionStatus | null> {
    try {
      return await within(clock, LIST_MS, navigator.permissions.query({ name }), null)
    } catch {
      return null
    }
  }

  /** Resolves with the strictest permission; null if the browser supports neither. */
  async function permission(): Promise<PermissionState | null> {
    const states = (await Promise.all(permissionNames.map(statusOf))).map((status) => status?.state)
    return (['denied', 'prompt', 'granted'] as const).find((state) => states.includes(state)) ?? null
  }

  /** Listens for granted permissions only: after a revoked one the tracks end by themselves. */
  async function onAllowed(
    name: (typeof permissionNames)[number],
    listener: (change: DeviceChange) => void,
    signal: AbortSignal,
  ): Promise<void> {
    const status = await statusOf(name)
    status?.addEventListener('change', () => status.state !== 'denied' && listener('permission'), { signal })
  }

  async function refusal(thrown: unknown): Promise<AppError> {
    const { name, message } = thrown instanceof Error ? thrown : { name: String(thrown), message: '' }
    const isSecure = isSecureContext && media !== undefined
    const trouble = troubleOf({ name, message, permission: await permission(), isSecure })
    return new AppError('camera-refused', message, { reason: name, trouble })
  }

  async function opened(constraints: Constraints): Promise<MediaStream> {
    const since = performance.now()
    try {
      return await ask(constraints)
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
        // A switch of the device, or a phone call that was there before. No event tells of it.
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
      // Other browsers list the system's own device first.
      const isOwn = ({ kind, groupId }: MediaDeviceInfo) =>
        all.some((each) => each.deviceId === 'default' && each.kind === kind && each.groupId === groupId)
      return all
        .filter(({ deviceId }) => !aliases.has(deviceId))
        .sort((one, other) => Number(isOwn(other)) - Number(isOwn(one)))
        .map(({ kind, deviceId, label }) => ({ kind: kinds[kind], id: deviceId, label }))
    },

    isAllowed: async () => (await permission()) === 'granted',

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

function stop(stream: MediaStream): void {
  for (const track of stream.getTracks()) track.stop()
}
