import { fileOf } from './safe-label.ts'

/** The file of the functions that replace the browser's. */
export const replacedIn = fileOf(import.meta.url)

/** How many of each exist now. `heapMegabytes` is null where the browser does not tell. */
export type Alive = {
  peerConnections: number
  tracks: number
  workers: number
  objectUrls: number
  /** Of window and document, added since the recorder started. */
  listeners: number
  heapMegabytes: number | null
}
/** 16 are there after a sign-in, the check of the devices and a call in one visit; each is there once for the visit. */
const LISTENERS_MAX = 20
/** At most this many should exist while no call runs; what is not listed has no such number. */
export const shouldBeAlive = {
  peerConnections: 0,
  tracks: 0,
  workers: 2,
  objectUrls: 2,
  listeners: LISTENERS_MAX,
} as const

type Hooks = {
  /** Called with each new peer connection. */
  opened: (connection: RTCPeerConnection) => void
  /** Called with each reading of its statistics that the product makes anyway. */
  read: (connection: RTCPeerConnection, report: RTCStatsReport) => void
  /** Returns how many listeners are left. */
  listeners: () => number
}
type Counts = {
  connections: Set<RTCPeerConnection>
  tracks: Set<MediaStreamTrack>
  workers: Set<Worker>
  urls: Set<string>
}

const MEGABYTE = 1_048_576

/**
 * Replaces the browser's constructors by ones that count. What was made before is not counted, except the network worker, which starts
 * with the page. Returns a function that counts what is alive.
 */
export function countAlive(hooks: Hooks): () => Alive {
  const counts: Counts = { connections: new Set(), tracks: new Set(), workers: new Set(), urls: new Set() }
  const isLive = (track: MediaStreamTrack) => track.readyState === 'live'
  countConnections(counts, hooks)
  countTracks(counts)
  countWorkers(counts)
  countUrls(counts)

  /** Forgets what is over. */
  function sweep(): void {
    for (const connection of counts.connections)
      if (connection.connectionState === 'closed') counts.connections.delete(connection)
    for (const track of counts.tracks) if (!isLive(track)) counts.tracks.delete(track)
  }

  return () => {
    for (const media of document.querySelectorAll('video, audio')) {
      const { srcObject } = media as HTMLMediaElement
      if (srcObject instanceof MediaStream) for (const track of srcObject.getTracks()) counts.tracks.add(track)
    }
    sweep()
    const { memory } = performance as { memory?: { usedJSHeapSize: number } }
    return {
      peerConnections: counts.connections.size,
      tracks: counts.tracks.size,
      workers: counts.workers.size + 1,
      objectUrls: counts.urls.size,
      listeners: hooks.listeners(),
      heapMegabytes: memory ? Math.round(memory.usedJSHeapSize / MEGABYTE) : null,
    }
  }
}

function countConnections({ connections }: Counts, { opened, read }: Hooks): void {
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
}

function countTracks({ tracks }: Counts): void {
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
}

function countWorkers({ workers }: Counts): void {
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
}

function countUrls({ urls }: Counts): void {
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
}
