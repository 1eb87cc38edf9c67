const CANDIDATE_MS = 3_000

type Connections = typeof RTCPeerConnection

/** Makes new peer connections instances of the class that `extend` returns, until the returned function is called. */
function replaceConnections(extend: (Real: Connections) => Connections): () => void {
  const Real = globalThis.RTCPeerConnection
  globalThis.RTCPeerConnection = extend(Real)
  return () => {
    globalThis.RTCPeerConnection = Real
  }
}

/** Makes each peer connection keep a running copy of the tracks that it sends, even after it is closed. */
export function leakedTrack(): () => void {
  const leaked: MediaStreamTrack[] = []
  const restore = replaceConnections(
    (Real) =>
      class extends Real {
        override addTrack(track: MediaStreamTrack, ...streams: MediaStream[]): RTCRtpSender {
          leaked.push(track.clone())
          return super.addTrack(track, ...streams)
        }
      },
  )
  return () => {
    restore()
    for (const track of leaked.splice(0)) track.stop()
  }
}

/** Makes each peer connection leave a listener on the window, which keeps the connection in memory. */
export function leakedListener(): () => void {
  const leaked: (() => void)[] = []
  const restore = replaceConnections(
    (Real) =>
      class extends Real {
        constructor(configuration?: RTCConfiguration) {
          super(configuration)
          const plantedListener = () => void this.connectionState
          leaked.push(plantedListener)
          window.addEventListener('resize', plantedListener)
        }
      },
  )
  return () => {
    restore()
    for (const listener of leaked.splice(0)) window.removeEventListener('resize', listener)
  }
}

/** Makes calls go only over the relay, and delays its candidates by three seconds. */
export function slowRelay(): () => void {
  const late = new WeakSet<Event>()
  const relayOnly = (configuration?: RTCConfiguration): RTCConfiguration => ({
    ...configuration,
    iceTransportPolicy: 'relay',
  })
  return replaceConnections(
    (Real) =>
      class extends Real {
        constructor(configuration?: RTCConfiguration) {
          super(relayOnly(configuration))
          // Added as the first listener, so that it runs before the product's handler.
          this.addEventListener('icecandidate', (event) => {
            if (late.has(event)) return
            event.stopImmediatePropagation()
            const again = new RTCPeerConnectionIceEvent('icecandidate', { candidate: event.candidate })
            late.add(again)
            setTimeout(() => this.dispatchEvent(again), CANDIDATE_MS)
          })
        }

        override setConfiguration(configuration?: RTCConfiguration): void {
          super.setConfiguration(relayOnly(configuration))
        }
      },
  )
}

/** Blocks UDP. Only relays over TCP and TLS are left. */
export function blockedUdp(): () => void {
  return replaceConnections(
    (Real) =>
      class extends Real {
        /**
         * The configuration that the page asked for. The page must see it unchanged, since a network that blocks UDP
         * does not change it either.
         */
        #asked: RTCConfiguration

        constructor(configuration: RTCConfiguration = {}) {
          super(withoutUdp(configuration))
          this.#asked = configuration
        }

        override setConfiguration(configuration: RTCConfiguration = {}): void {
          super.setConfiguration(withoutUdp(configuration))
          this.#asked = configuration
        }

        override getConfiguration(): RTCConfiguration {
          return { ...super.getConfiguration(), ...this.#asked }
        }
      },
  )
}

function withoutUdp(configuration: RTCConfiguration): RTCConfiguration {
  const iceServers = (configuration.iceServers ?? [])
    .map((server) => ({ ...server, urls: [server.urls].flat().filter(isOverTcp) }))
    .filter(({ urls }) => urls.length > 0)
  return { ...configuration, iceServers, iceTransportPolicy: 'relay' }
}

function isOverTcp(url: string): boolean {
  return /^turns?:.*[?&]transport=tcp/.test(url) || (url.startsWith('turns:') && !url.includes('transport=udp'))
}
