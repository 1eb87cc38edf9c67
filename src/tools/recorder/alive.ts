/** Most listeners that are no leak. A visit with sign-in, device check and call adds 16, which stay until its end. */
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
