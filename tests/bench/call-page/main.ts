import { createPeerConnections } from '../../../src/call/peer/peer-connections.ts'
import { preferredCodecs } from '../../../src/call/peer/preferred-codecs.ts'
import type { PeerConnection, PreparedPeer } from '../../../src/call/ports.ts'
import type { IceServers } from '../../../src/platform/rules/ice-servers.ts'

/** Two calls inside one page with a camera that is open already: by our peer connection, and by the bare browser's. */

type Peer = PeerConnection<MediaStream>
type Role = 'Caller' | 'Callee'
type Call = { close(): void }
type Show = (side: 'caller' | 'callee', stream: MediaStream) => void
/** Begins to connect the two when it is called. */
type Match = (show: Show) => Call

/** As on a machine whose CPU is short. */
const codecs = preferredCodecs(true)

const RUN_LIMIT_MS = 10_000
/** Time of the search, in which a call can be prepared before the match. */
const SEARCH_MS = 500

/** Through `relays` alone where there are any. */
function ours(local: MediaStream, relays: IceServers = []): Match {
  const ready = [prepare(local, relays), prepare(local, relays)] as const
  return (show) => connectOurs(ready, show)
}

function prepare(local: MediaStream, relays: IceServers): PreparedPeer<MediaStream> {
  return createPeerConnections(codecs).prepare({ servers: relays, local, relayOnly: relays.length > 0 })
}

function connectOurs(ready: readonly [PreparedPeer<MediaStream>, PreparedPeer<MediaStream>], show: Show): Call {
  const take = (role: Role, prepared: PreparedPeer<MediaStream>, other: () => Peer): Peer =>
    prepared.take(role, (event) => {
      if (event.type === 'description') other().accept(event.data)
      else if (event.type === 'candidate') other().addCandidate(event.data)
      else if (event.type === 'remote-stream') show(role === 'Caller' ? 'caller' : 'callee', event.stream)
    })
  const caller: Peer = take('Caller', ready[0], () => callee)
  const callee: Peer = take('Callee', ready[1], () => caller)
  return {
    close() {
      caller.close()
      callee.close()
    },
  }
}

function bare(local: MediaStream): Match {
  return (show) => connectBare(local, show)
}

function connectBare(local: MediaStream, show: Show): Call {
  const caller = new RTCPeerConnection()
  const callee = new RTCPeerConnection()
  const pairs = [
    ['caller', caller, callee],
    ['callee', callee, caller],
  ] as const
  for (const [side, own, other] of pairs) {
    own.onicecandidate = ({ candidate }) => candidate && void other.addIceCandidate(candidate)
    own.ontrack = ({ streams: [stream] }) => stream && show(side, stream)
    for (const track of local.getTracks()) own.addTrack(track, local)
  }
  async function negotiate(): Promise<void> {
    await caller.setLocalDescription()
    if (caller.localDescription) await callee.setRemoteDescription(caller.localDescription)
    await callee.setLocalDescription()
    if (callee.localDescription) await caller.setRemoteDescription(callee.localDescription)
  }
  void negotiate()
  return {
    close() {
      for (const connection of [caller, callee]) {
        connection.onicecandidate = null
        connection.ontrack = null
        for (const { track } of connection.getReceivers()) track.stop()
        connection.close()
      }
    },
  }
}

/** Milliseconds from the match to the moment when both sides have shown a picture of the other. */
async function timeToPictures<L>(before: () => Promise<L>, search: (local: L) => Match): Promise<number> {
  const connect = search(await before())
  await new Promise((resolve) => setTimeout(resolve, SEARCH_MS))
  const videos = { caller: document.createElement('video'), callee: document.createElement('video') }
  const pictures = Object.values(videos).map((video) => {
    video.muted = true
    video.autoplay = true
    document.body.append(video)
    return new Promise<number>((resolve) => {
      video.requestVideoFrameCallback(() => resolve(performance.now()))
    })
  })
  const limit = new Promise<never>((_resolve, reject) => {
    setTimeout(() => reject(new Error('No picture arrived')), RUN_LIMIT_MS)
  })
  const matched = performance.now()
  const call = connect((side, stream) => {
    videos[side].srcObject = stream
  })
  const shown = await Promise.race([Promise.all(pictures), limit])
  for (const video of Object.values(videos)) {
    video.srcObject = null
    video.remove()
  }
  call.close()
  return Math.max(...shown) - matched
}

let camera: Promise<MediaStream> | undefined

function openCamera(): Promise<MediaStream> {
  camera ??= navigator.mediaDevices.getUserMedia({ video: { width: 640, height: 480 }, audio: true })
  return camera
}

/** A plain page without preparation: it opens the camera after the match. */
function naive(): Match {
  return (show) => {
    let call: Call | null = null
    let closed = false
    void openCamera().then((local) => {
      if (!closed) call = connectBare(local, show)
    })
    return {
      close() {
        closed = true
        call?.close()
      },
    }
  }
}

/** Milliseconds from asking for an ICE restart to the next picture over the new addresses, in a call that stands. */
async function timeToRestart(): Promise<number> {
  const local = await openCamera()
  const ready = [prepare(local, []), prepare(local, [])] as const
  const videos: HTMLVideoElement[] = []
  let answered = () => {}
  const renewed = new Promise<void>((resolve) => {
    answered = resolve
  })
  let answers = 0
  const take = (role: Role, prepared: PreparedPeer<MediaStream>, other: () => Peer): Peer =>
    prepared.take(role, (event) => {
      if (event.type === 'description') {
        other().accept(event.data)
        if (event.kind === 'answer' && ++answers === 2) answered()
      } else if (event.type === 'candidate') other().addCandidate(event.data)
      else if (event.type === 'remote-stream') {
        const video = document.createElement('video')
        Object.assign(video, { muted: true, autoplay: true, srcObject: event.stream })
        document.body.append(video)
        videos.push(video)
      }
    })
  const caller: Peer = take('Caller', ready[0], () => callee)
  const callee: Peer = take('Callee', ready[1], () => caller)
  const nextPicture = (video: HTMLVideoElement) => new Promise((resolve) => video.requestVideoFrameCallback(resolve))
  while (videos.length < 2) await new Promise(requestAnimationFrame)
  await Promise.all(videos.map(nextPicture))
  const startedAt = performance.now()
  caller.restartIce()
  await renewed
  await Promise.all(videos.map(nextPicture))
  const took = performance.now() - startedAt
  for (const video of videos) {
    video.srcObject = null
    video.remove()
  }
  caller.close()
  callee.close()
  return took
}

/** Width of the first picture that arrives from a camera of 1280 by 720. */
async function firstWidth(): Promise<number> {
  const local = await navigator.mediaDevices.getUserMedia({ video: { width: 1280, height: 720 }, audio: true })
  const connect = ours(local)
  await new Promise((resolve) => setTimeout(resolve, SEARCH_MS))
  const width = await new Promise<number>((resolve) => {
    const call = connect((side, stream) => {
      if (side !== 'callee') return
      const video = document.createElement('video')
      Object.assign(video, { muted: true, autoplay: true, srcObject: stream })
      document.body.append(video)
      video.requestVideoFrameCallback((_now, frame) => {
        video.srcObject = null
        video.remove()
        call.close()
        resolve(frame.width)
      })
    })
  })
  for (const track of local.getTracks()) track.stop()
  return width
}

Object.assign(globalThis, {
  measureFirstWidth: firstWidth,
  openCamera: async () => void (await openCamera()),
  warmUp: async () => createPeerConnections(codecs).warmUp(await openCamera()),
  measureOurs: (relays?: IceServers) => timeToPictures(openCamera, (local) => ours(local, relays)),
  measureBare: () => timeToPictures(openCamera, bare),
  measureNaive: () => timeToPictures(async () => null, naive),
  measureRestart: timeToRestart,
})
