import type { PeerConnection } from '../../../src/domain/ports.ts'
import { createPeerConnections } from '../../../src/transport/peer-connection.ts'

/** Two calls inside one page with a camera that is open already: by our peer connection, and by the bare browser's. */

type Call = { close(): void }
type Show = (side: 'caller' | 'callee', stream: MediaStream) => void

const RUN_LIMIT_MS = 10_000

function ours(local: MediaStream, show: Show): Call {
  const peers = createPeerConnections()
  const open = (role: 'Caller' | 'Callee', other: () => PeerConnection): PeerConnection =>
    peers.open({
      role,
      servers: [],
      local,
      listener(event) {
        if (event.type === 'description') other().accept(event.data)
        else if (event.type === 'candidate') other().addCandidate(event.data)
        else if (event.type === 'remote-stream') show(role === 'Caller' ? 'caller' : 'callee', event.stream)
      },
    })
  const caller: PeerConnection = open('Caller', () => callee)
  const callee: PeerConnection = open('Callee', () => caller)
  caller.offer()
  return {
    close() {
      caller.close()
      callee.close()
    },
  }
}

function bare(local: MediaStream, show: Show): Call {
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
async function timeToPictures(camera: Promise<MediaStream>, connect: typeof ours): Promise<number> {
  const local = await camera
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
  const call = connect(local, (side, stream) => {
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

const camera = navigator.mediaDevices.getUserMedia({ video: { width: 640, height: 480 }, audio: true })
Object.assign(globalThis, {
  measureOurs: () => timeToPictures(camera, ours),
  measureBare: () => timeToPictures(camera, bare),
})
