import { AppError } from '#protocol/errors.ts'
import type { Camera, DeviceChange, MediaChoice, MediaDevice, MediaKind } from '../../../src/devices/ports.ts'
import type { MediaTrouble } from '../../../src/devices/rules/media-trouble.ts'
import { Gate } from '../gate.ts'

type Track = { kind: MediaKind; device: string; live: boolean; on: boolean }
type Listener = Parameters<Camera<MediaStream>['watch']>[1]

/** Two cameras and two microphones, like a laptop with a headset and a second camera. */
export const twoOfEach: MediaDevice[] = [
  { kind: 'camera', id: 'c1', label: 'Built-in camera' },
  { kind: 'camera', id: 'c2', label: 'Webcam' },
  { kind: 'microphone', id: 'm1', label: 'Built-in microphone' },
  { kind: 'microphone', id: 'm2', label: 'Headset' },
  { kind: 'speaker', id: 's1', label: 'Built-in speaker' },
  { kind: 'speaker', id: 's2', label: 'Headset' },
]

/** A machine whose devices a test connects and disconnects. A chosen device that is gone is replaced by the first. */
export function fakeCamera() {
  const streams = new Map<MediaStream, Track[]>()
  const watchers = new Map<Listener, MediaStream>()
  const listeners = new Set<(change: DeviceChange) => void>()
  const tracks: Track[] = []
  const asked: MediaChoice[] = []
  const widths: number[] = []
  const busy = new Set<string>()
  const gate = new Gate()
  let measured: ((level: number) => void) | null = null
  let refusal: MediaTrouble | null = null
  let fixed = false
  let black = false
  let present = [...twoOfEach]

  const tracksOf = (stream: MediaStream | null) => (stream && streams.get(stream)) ?? []

  function streamOf(parts: Track[]): MediaStream {
    const stream = {} as MediaStream
    streams.set(stream, parts)
    return stream
  }

  function refuse(trouble: MediaTrouble): never {
    throw new AppError('camera-refused', 'No', { trouble })
  }

  function openTrack(kind: MediaKind, choice: MediaChoice): Track {
    const what = kind === 'video' ? 'camera' : 'microphone'
    const alike = present.filter((device) => device.kind === what)
    const device = alike.find(({ id }) => id === choice[what]) ?? alike[0]
    if (!device) return refuse('absent')
    if (busy.has(device.id)) return refuse('busy')
    const track = { kind, device: device.id, live: true, on: true }
    tracks.push(track)
    return track
  }

  /** All or none, as the browser opens them. */
  function openTracks(kinds: readonly MediaKind[], choice: MediaChoice): Track[] {
    const opened: Track[] = []
    try {
      for (const kind of kinds) opened.push(openTrack(kind, choice))
      return opened
    } catch (thrown) {
      for (const track of opened) track.live = false
      throw thrown
    }
  }

  function tell(kind: MediaKind, what: 'ended' | 'paused' | 'resumed', of: (track: Track) => boolean): void {
    for (const [listener, stream] of [...watchers]) {
      if (tracksOf(stream).some((track) => track.kind === kind && of(track))) listener(kind, what)
    }
  }

  const camera: Camera<MediaStream> = {
    async open(settings, choice) {
      asked.push(choice)
      widths.push(settings.video.width.ideal)
      await gate.pass()
      if (refusal) refuse(refusal)
      return streamOf(openTracks(['video', 'audio'], choice))
    },
    async reopen(kinds, stream, settings, choice) {
      asked.push(choice)
      widths.push(settings.video.width.ideal)
      const kept = tracksOf(stream).filter(({ kind }) => !kinds.includes(kind))
      for (const track of tracksOf(stream)) if (!kept.includes(track)) track.live = false
      await gate.pass()
      if (refusal) refuse(refusal)
      return streamOf([...kept, ...openTracks(kinds, choice)])
    },
    close(stream) {
      for (const track of tracksOf(stream)) track.live = false
    },
    async shows() {
      if (black) throw new AppError('camera-refused', 'No picture')
    },
    darken(stream) {
      for (const track of tracksOf(stream)) if (track.kind === 'video') track.live = false
      const black = { kind: 'video' as const, device: '', live: true, on: true }
      tracks.push(black)
      return streamOf([black, ...tracksOf(stream).filter(({ kind }) => kind === 'audio')])
    },
    enable(stream, kind, on) {
      for (const track of tracksOf(stream)) if (track.kind === kind) track.on = on
    },
    async resize(_stream, settings) {
      if (fixed) throw new Error('fixed')
      widths.push(settings.video.width.ideal)
    },
    deviceOf: (stream, kind) => tracksOf(stream).find((track) => track.kind === kind)?.device ?? '',
    measure(_stream, listener) {
      measured = listener
      return () => {
        if (measured === listener) measured = null
      }
    },
    watch(stream, listener) {
      // A function that subscribes twice has two subscriptions.
      const own: Listener = (...args) => listener(...args)
      watchers.set(own, stream)
      return () => void watchers.delete(own)
    },
    devices: async () => present,
    onDevices(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    downlink: () => null,
    weakCpu: () => false,
    isAllowed: async () => false,
    portrait: () => false,
  }

  const tellDevices = (change: DeviceChange) => [...listeners].forEach((listener) => void listener(change))

  return {
    camera,
    asked,
    /** The width that was asked for by every opening and resizing. */
    widths,
    /** Makes the camera refuse another size. */
    fix: () => {
      fixed = true
    },
    /** Makes the camera give no picture. */
    cover: () => {
      black = true
    },
    /** Delays every opening while it is closed. */
    gate,
    /** Ids of devices that another program uses. */
    busy,
    /** Every track that was ever opened. */
    tracks,
    device: (stream: MediaStream | null, kind: MediaKind) => (stream ? camera.deviceOf(stream, kind) : ''),
    isOn: (stream: MediaStream | null) =>
      Object.fromEntries(tracksOf(stream).map(({ kind, on }) => [kind, on])) as Record<MediaKind, boolean>,
    live: (stream: MediaStream | null) => tracksOf(stream).map(({ live }) => live),
    refuse: (trouble: MediaTrouble | null) => {
      refusal = trouble
    },
    unplug(...ids: string[]): void {
      present = present.filter(({ id }) => !ids.includes(id))
      for (const track of tracks.filter(({ live, device }) => live && ids.includes(device))) {
        track.live = false
        tell(track.kind, 'ended', (each) => each === track)
      }
      tellDevices('devices')
    },
    plug(device: MediaDevice): void {
      present = [...present, device]
      tellDevices('devices')
    },
    /** Makes this one the system's own. */
    prefer(id: string): void {
      present = present.toSorted((one, other) => Number(other.id === id) - Number(one.id === id))
      tellDevices('devices')
    },
    happens: (kind: MediaKind, what: 'ended' | 'paused' | 'resumed') => tell(kind, what, () => true),
    tellDevices,
    reportLevel: (level: number) => measured?.(level),
    isMeasured: () => measured !== null,
    /** Number of subscriptions to tracks and devices. */
    subscriptions: () => watchers.size + listeners.size,
  }
}
