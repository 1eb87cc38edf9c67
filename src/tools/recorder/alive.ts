import type { Place } from './limited.ts'
import { safeLabel } from './safe-label.ts'

/** Most listeners that are no leak. A visit with sign-in, device check and call adds 16 until its end. */
const LISTENERS_MAX = 20
/**
 * What is counted, and how many may exist without a call. Only those listeners of window and document count that were
 * added after the recorder had started.
 */
export const shouldBeAlive = {
  peerConnections: 0,
  tracks: 0,
  workers: 2,
  objectUrls: 2,
  listeners: LISTENERS_MAX,
} as const
/** Number of each that exists now. */
export type Alive = Record<keyof typeof shouldBeAlive, number>

type Hooks = {
  /** Called with each new peer connection. */
  opened: (connection: RTCPeerConnection) => void
  /** Called with each reading of statistics, which the product makes anyway. */
  read: (connection: RTCPeerConnection, report: RTCStatsReport) => void
  /** Returns how many listeners are left. */
  listeners: () => number
}

/**
 * Replaces constructors of the browser by constructors that count. Objects from before are not counted, except the
 * network worker, which starts with the page. Returns a function that counts what exists now.
 */
export function countAlive(hooks: Hooks): () => Alive {
  const connections = countConnections(hooks)
  const tracks = countTracks()
  const workers = countWorkers()
  const urls = countUrls()

  function forgetEnded(): void {
    for (const connection of connections) if (connection.connectionState === 'closed') connections.delete(connection)
    for (const track of tracks) if (track.readyState !== 'live') tracks.delete(track)
  }

  return () => {
    for (const media of document.querySelectorAll('video, audio')) {
      const { srcObject } = media as HTMLMediaElement
      if (srcObject instanceof MediaStream) for (const track of srcObject.getTracks()) tracks.add(track)
    }
    forgetEnded()
    return {
      peerConnections: connections.size,
      tracks: tracks.size,
      workers: workers.size + 1,
      objectUrls: urls.size,
      listeners: hooks.listeners(),
    }
  }
}

function countConnections({ opened, read }: Hooks): Set<RTCPeerConnection> {
  const connections = new Set<RTCPeerConnection>()
  globalThis.RTCPeerConnection = class extends RTCPeerConnection {
    constructor(configuration?: RTCConfiguration) {
      super(configuration)
      connections.add(this)
      opened(this)
    }
    override async getStats(selector?: MediaStreamTrack | null): Promise<RTCStatsReport> {
      const report = await super.getStats(selector)
      read(this, report)
      return report
    }
    override close(): void {
      super.close()
      connections.delete(this)
    }
  }
  return connections
}

function countTracks(): Set<MediaStreamTrack> {
  const tracks = new Set<MediaStreamTrack>()
  const { mediaDevices } = navigator
  const open = mediaDevices.getUserMedia.bind(mediaDevices)
  mediaDevices.getUserMedia = async (constraints) => {
    const stream = await open(constraints)
    for (const track of stream.getTracks()) tracks.add(track)
    return stream
  }
  const { clone } = MediaStreamTrack.prototype
  MediaStreamTrack.prototype.clone = function cloneCounted() {
    const copy = clone.call(this)
    tracks.add(copy)
    return copy
  }
  return tracks
}

function countWorkers(): Set<Worker> {
  const workers = new Set<Worker>()
  globalThis.Worker = class extends Worker {
    constructor(address: string | URL, options?: WorkerOptions) {
      super(address, options)
      workers.add(this)
    }
    override terminate(): void {
      super.terminate()
      workers.delete(this)
    }
  }
  return workers
}

function countUrls(): Set<string> {
  const urls = new Set<string>()
  const [make, revoke] = [URL.createObjectURL.bind(URL), URL.revokeObjectURL.bind(URL)]
  URL.createObjectURL = (object) => {
    const url = make(object)
    urls.add(url)
    return url
  }
  URL.revokeObjectURL = (url) => {
    revoke(url)
    urls.delete(url)
  }
  return urls
}

type Listener = EventListenerOrEventListenerObject
type Options = boolean | AddEventListenerOptions
/** Listeners by type and phase, as the browser distinguishes them, each with the function that ends its counting. */
type Known = Map<string, Map<Listener, () => void>>

const isCapture = (options: Options | undefined) => (typeof options === 'object' ? options.capture : options) === true
const keyOf = (type: string, options: Options | undefined) => (isCapture(options) ? `${type} (capture)` : type)

/** A listener that was added and not removed. `on` is target and event, such as "window resize". */
export type LeftListener = { on: string; listener: Listener }

/** Follows listeners that are added from now on. Returns a function that returns those that were not removed. */
export function followListeners(targets: Readonly<Record<string, EventTarget>>): () => LeftListener[] {
  const all = Object.entries(targets).map(([name, target]) => ({ name, known: follow(target) }))
  return () =>
    all.flatMap(({ name, known }) =>
      [...known].flatMap(([key, ofKey]) => [...ofKey.keys()].map((listener) => ({ on: `${name} ${key}`, listener }))),
    )
}

function follow(target: EventTarget): Known {
  const known: Known = new Map()
  const [add, remove] = [target.addEventListener.bind(target), target.removeEventListener.bind(target)]

  target.addEventListener = (type: string, listener: Listener | null, options?: Options) => {
    const key = keyOf(type, options)
    const { once = false, signal } = typeof options === 'object' ? options : {}
    if (listener && !signal?.aborted && !known.get(key)?.has(listener)) {
      const forget = () => void known.get(key)?.delete(listener)
      const settings = { capture: isCapture(options), once: true, passive: true }
      // Added before the listener itself, since that may stop the event for later listeners.
      if (once) add(type, forget, settings)
      signal?.addEventListener('abort', forget, { once: true })
      const ofKey = known.get(key) ?? new Map<Listener, () => void>()
      known.set(key, ofKey)
      ofKey.set(listener, () => {
        if (once) remove(type, forget, settings)
        signal?.removeEventListener('abort', forget)
        forget()
      })
    }
    add(type, listener, options)
  }

  target.removeEventListener = (type: string, listener: Listener | null, options?: boolean | EventListenerOptions) => {
    if (listener) known.get(keyOf(type, options))?.get(listener)?.()
    remove(type, listener, options)
  }
  return known
}

/** Counts listeners by event and by source text of their function. */
export function placesOfListeners(left: readonly LeftListener[]): Place[] {
  const places = new Map<string, Place>()
  for (const { on, listener } of left) {
    const source = `${on} ${nameOf(listener)}${String(listener)}`
    const count = (places.get(source)?.count ?? 0) + 1
    places.set(source, { where: safeLabel(`${on}: ${nameOf(listener) || '(anonymous)'}`), count, worst: count })
  }
  return [...places.values()]
}

const nameOf = (listener: LeftListener['listener']) => (typeof listener === 'function' ? listener.name : 'handleEvent')
