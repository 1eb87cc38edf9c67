import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest'
import { createPeerConnections } from '../../../../src/call/peer/peer-connections.ts'
import type { PeerConnection, PeerEvent, PeerListener } from '../../../../src/call/ports.ts'
import { nextTask } from '../../../../src/platform/io/later-tasks.ts'

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

type Role = 'Caller' | 'Callee'
type Send = (signal: Signal) => void

/** One side of a call, opened at the match; `send` is called with its descriptions and candidates. */
export function openSide(role: Role, local: MediaStream, send: Send, codecs: RTCRtpCodec[] = []): Side {
  const watched = watchConnections()
  const peers = createPeerConnections(Promise.resolve(codecs))
  const options = { servers: [], local, relayOnly: false }
  const side = sideOf(
    (listener) => peers.open(role, options, listener),
    () => watched.made[0],
    send,
  )
  watched.restore()
  return side
}

function sideOf(
  open: (listener: PeerListener<MediaStream>) => PeerConnection<MediaStream>,
  connectionOf: () => RTCPeerConnection | undefined,
  send: Send,
): Side {
  const reported: Reported[] = []
  const peer = open((event) => {
    reported.push(event)
    if (event.type === 'description' || event.type === 'candidate') send(event)
  })
  const connection = connectionOf()
  if (!connection) throw new Error('No connection was made')
  return { peer, connection, reported }
}

export function deliver(signal: Signal, to: PeerConnection<MediaStream>): void {
  if (signal.type === 'description') to.accept(signal.data)
  else to.addCandidate(signal.data)
}

export type Pair = { caller: Side; callee: Side }
type Arrange = (signals: Signal[]) => Signal[]

/**
 * A caller and a callee. Signals of a side go to the other at once, or, given `arrange`, when that side has gathered all
 * its candidates, in the order that `arrange` makes of them. `codecs` is the order of preference of the picture's.
 */
export function openPair(local: MediaStream, arrange?: Arrange | null, codecs?: RTCRtpCodec[]): Pair {
  return pairOf((role, send) => openSide(role, local, send, codecs), arrange)
}

/** The same of connections that were prepared for either role, as in a search. */
export async function takePair(local: MediaStream): Promise<Pair> {
  const searches = { Caller: await search(local), Callee: await search(local) }
  return pairOf((role, send) => {
    const { prepared, made } = searches[role]
    return sideOf(
      (listener) => prepared.take(role, listener),
      // The Caller's is prepared first.
      () => made[role === 'Caller' ? 0 : 1],
      send,
    )
  })
}

async function search(local: MediaStream) {
  const watched = watchConnections()
  const prepared = createPeerConnections().prepare({ servers: [], local, relayOnly: false })
  while (watched.made.length < 2) await nextTask()
  watched.restore()
  return { prepared, made: watched.made }
}

function pairOf(open: (role: Role, send: Send) => Side, arrange?: Arrange | null): Pair {
  function sendTo(other: () => Side, own: () => Side): Send {
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
  const sides = { caller: () => caller, callee: () => callee }
  const caller: Side = open('Caller', sendTo(sides.callee, sides.caller))
  const callee: Side = open('Callee', sendTo(sides.caller, sides.callee))
  return { caller, callee }
}

/** Waits until both sides have decoded more frames. */
export async function bothSeePictures({ caller, callee }: Pair): Promise<void> {
  for (const { connection } of [caller, callee]) {
    const seen = await framesDecoded(connection)
    await expect.poll(() => framesDecoded(connection)).toBeGreaterThan(seen + 5)
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
