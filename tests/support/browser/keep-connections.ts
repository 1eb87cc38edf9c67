/** A page in which `keepConnections` has run. */
export type Watched = typeof globalThis & { connections: RTCPeerConnection[] }

/** Keeps every peer connection of the page in `connections`. Runs in the page before its scripts. */
export function keepConnections(): void {
  const connections: RTCPeerConnection[] = []
  const Original = globalThis.RTCPeerConnection
  globalThis.RTCPeerConnection = class extends Original {
    constructor(configuration?: RTCConfiguration) {
      super(configuration)
      connections.push(this)
    }
  }
  Object.assign(globalThis, { connections })
}
