import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest'
import type { PeerConnection, PeerEvent } from '../../../src/domain/ports.ts'
import { createPeerConnections } from '../../../src/transport/peer-connections.ts'

export type Reported = PeerEvent<MediaStream>
type Signal = Extract<Reported, { type: 'description' | 'candidate' }>
type Side = { peer: PeerConnection<MediaStream>; connection: RTCPeerConnection; reported: Reported[] }

/** What the tests of a file share: an open camera, and the connections that the test has made, which are closed after it. */
export function prepareTests(): { local: MediaStream; made: RTCPeerConnection[] } {
  const shared: ReturnType<typeof prepareTests> = { local: new MediaStream(), made: [] }
  let restore = () => {}
  beforeAll(async () => {
    shared.local = await openCamera()
  })
  afterAll(() => {
    for (const track of shared.local.getTracks()) track.stop()
  })
  beforeEach(() => {
    const watched = watchConnections()
    shared.made = watched.made
    restore = watched.restore
  })
  afterEach(() => {
    restore()
    for (const connection of shared.made) connection.close()
  })
  return shared
}

/** Collects the peer connections that the page makes until `restore`. They throw for a candidate before its description. */
export function watchConnections(): { made: RTCPeerConnection[]; restore: () => void } {
  const made: RTCPeerConnection[] = []
  const Real = globalThis.RTCPeerConnection
  globalThis.RTCPeerConnection = class extends Real {
    constructor(configuration?: RTCConfiguration) {
      super(configuration)
      made.push(this)
    }

    // Chromium keeps a candidate of unknown credentials; the standard and other browsers refuse it.
    override async addIceCandidate(candidate?: RTCIceCandidateInit | null): Promise<void> {
      const fragment = candidate?.usernameFragment
      if (fragment && !this.remoteDescription?.sdp.includes(`a=ice-ufrag:${fragment}`)) {
        throw new DOMException('This candidate came before its description', 'OperationError')
      }
      await super.addIceCandidate(candidate ?? undefined)
    }
  }
  return {
    made,
    restore() {
      globalThis.RTCPeerConnection = Real
    },
  }
}

/** Most of a call's processor time is spent on its pictures: few and slow ones do where no test reads their size or rate. */
export function openCamera({ height = 480, frameRate = 10 } = {}): Promise<MediaStream> {
  return navigator.mediaDevices.getUserMedia({ video: { width: (height * 4) / 3, height, frameRate }, audio: true })
}

/** One side of a call; `send` is called with its descriptions and candidates. */
export function openSide(
  role: 'Caller' | 'Callee',
  local: MediaStream,
  send: (signal: Signal) => void,
  codecs: RTCRtpCodec[] = [],
): Side {
  const watched = watchConnections()
  const reported: Reported[] = []
  const prepared = createPeerConnections(Promise.resolve(codecs)).prepare({ servers: [], local, relayOnly: false })
  watched.restore()
  const peer = prepared.take(role, (event) => {
    reported.push(event)
    if (event.type === 'description' || event.type === 'candidate') send(event)
  })
  // Both are prepared, the caller's first.
  const connection = watched.made[role === 'Caller' ? 0 : 1]
  if (!connection) throw new Error('No connection was made')
  return { peer, connection, reported }
}

export function deliver(signal: Signal, to: PeerConnection<MediaStream>): void {
  if (signal.type === 'description') to.accept(signal.data)
  else to.addCandidate(signal.data)
}

/**
 * A caller and a callee. Signals of a side go to the other at once, or, given `arrange`, when that side has gathered all
 * its candidates, in the order that `arrange` makes of them. `codecs` is the order of preference of the picture's.
 */
export function openPair(
  local: MediaStream,
  arrange?: ((signals: Signal[]) => Signal[]) | null,
  codecs?: RTCRtpCodec[],
): { caller: Side; callee: Side } {
  function sendTo(other: () => Side, own: () => Side): (signal: Signal) => void {
    if (!arrange) return (signal) => deliver(signal, other().peer)
    const held: Signal[] = []
    return (signal) => {
      held.push(signal)
      const { connection } = own()
      connection.onicegatheringstatechange = () => {
        if (connection.iceGatheringState !== 'complete') return
        for (const late of arrange(held.splice(0))) deliver(late, other().peer)
      }
    }
  }
  const caller: Side = openSide(
    'Caller',
    local,
    sendTo(
      () => callee,
      () => caller,
    ),
    codecs,
  )
  const callee: Side = openSide(
    'Callee',
    local,
    sendTo(
      () => caller,
      () => callee,
    ),
    codecs,
  )
  return { caller, callee }
}

export type Pair = ReturnType<typeof openPair>

/** Waits until both sides have decoded more frames. */
export async function bothSeePictures({ caller, callee }: Pair): Promise<void> {
  for (const { connection } of [caller, callee]) {
    const seen = await framesDecoded(connection)
    await expect.poll(() => framesDecoded(connection), { timeout: 20_000 }).toBeGreaterThan(seen + 5)
  }
}

/** Waits until both sides see pictures, and asks for their full size, which Firefox else takes twenty seconds to. */
export async function bothSeeFullSize(pair: Pair): Promise<void> {
  await bothSeePictures(pair)
  for (const { peer } of [pair.caller, pair.callee]) await peer.restoreSize()
}

export function closeBoth({ caller, callee }: Pair): void {
  caller.peer.close()
  callee.peer.close()
}

export function framesDecoded(connection: RTCPeerConnection): Promise<number> {
  return inbound(connection, 'video', 'framesDecoded')
}

export function soundPackets(connection: RTCPeerConnection): Promise<number> {
  return inbound(connection, 'audio', 'packetsReceived')
}

async function inbound(connection: RTCPeerConnection, kind: string, counter: string): Promise<number> {
  const report = await connection.getStats()
  for (const entry of report.values())
    if (entry.type === 'inbound-rtp' && entry.kind === kind) return entry[counter] ?? 0
  return 0
}

export function userNameFragment(description: RTCSessionDescription | null): string {
  return /^a=ice-ufrag:(.+)$/m.exec(description?.sdp ?? '')?.[1]?.trim() ?? ''
}

/** The fragment of the address that media leave from. */
export async function usedUserNameFragment(connection: RTCPeerConnection): Promise<string | undefined> {
  const report = await connection.getStats()
  const entries = [...report.values()]
  const chosen = entries.find(({ type }) => type === 'transport')?.selectedCandidatePairId
  const pair = entries.find(({ type, id, selected }) => type === 'candidate-pair' && (selected || id === chosen))
  return report.get(pair?.localCandidateId)?.usernameFragment
}

/** What a side reported, without candidates, whose number differs from run to run. */
export function story({ reported }: Side): string[] {
  return reported
    .filter(({ type }) => type !== 'candidate')
    .map((event) => {
      if (event.type === 'description') return event.kind
      if (event.type === 'connection') return event.state
      return event.type === 'fault' ? `fault ${event.code}` : event.type
    })
}
