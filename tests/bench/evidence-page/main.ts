import { grabFrame } from '../../../src/platform/io/frame-grabber.ts'
import { createJpegEncoder } from '../../../workers/media/jpeg-encoder.ts'

/**
 * A drawn camera that is sent over one pair of peer connections a codec, all at the same time. Pictures of both ends are captured and
 * encoded as the product does for a report.
 */

const FRAMES_A_SECOND = 15
const WIDTH = 640
const HEIGHT = 480
/** Time in which a connection finds its bitrate. */
const WARM_UP_MS = 6_000

type Call = { codec: string; stream: MediaStream; receiver: RTCPeerConnection; sender: RTCPeerConnection }
type Relays = { sender: RTCIceServer; receiver: RTCIceServer } | null

const encode = createJpegEncoder()
const canvas = document.createElement('canvas')
Object.assign(canvas, { width: WIDTH, height: HEIGHT })
const context = canvas.getContext('2d')
let picture: ImageBitmap | null = null
/** The noise of a camera, which no two frames share. */
const grain = grainOf()

function grainOf(): HTMLCanvasElement {
  const tile = document.createElement('canvas')
  Object.assign(tile, { width: WIDTH + 64, height: HEIGHT + 64 })
  const pixels = new ImageData(tile.width, tile.height)
  for (let at = 0; at < pixels.data.length; at += 4) {
    const bright = Math.random() < 0.5 ? 0 : 255
    pixels.data.set([bright, bright, bright, 10 * Math.random()], at)
  }
  tile.getContext('2d')?.putImageData(pixels, 0, 0)
  return tile
}

/** The hand that holds the phone moves by up to two pixels. */
function paint(): void {
  if (!context) return
  // A canvas that nothing draws on gives no first frame.
  if (!picture) {
    context.fillRect(0, 0, WIDTH, HEIGHT)
    return
  }
  const [x, y] = [Math.sin(performance.now() / 300) * 2, Math.cos(performance.now() / 410) * 2]
  context.drawImage(picture, x - 2, y - 2, WIDTH + 4, HEIGHT + 4)
  context.drawImage(grain, -64 * Math.random(), -64 * Math.random())
}

const camera = canvas.captureStream(FRAMES_A_SECOND)
setInterval(paint, 1_000 / FRAMES_A_SECOND)

function show(stream: MediaStream): Promise<unknown> {
  const video = document.createElement('video')
  Object.assign(video, { muted: true, autoplay: true, srcObject: stream })
  document.body.append(video)
  return new Promise((resolve) => video.requestVideoFrameCallback(resolve))
}

async function call(codec: string, kbps: number, relays: Relays): Promise<Call> {
  const iceTransportPolicy = relays ? 'relay' : 'all'
  const sender = new RTCPeerConnection({ iceTransportPolicy, iceServers: relays ? [relays.sender] : [] })
  const receiver = new RTCPeerConnection({ iceTransportPolicy, iceServers: relays ? [relays.receiver] : [] })
  const arrived = new Promise<MediaStream>((resolve) => {
    receiver.ontrack = ({ track }) => resolve(new MediaStream([track]))
  })
  sender.onicecandidate = ({ candidate }) => candidate && void receiver.addIceCandidate(candidate)
  receiver.onicecandidate = ({ candidate }) => candidate && void sender.addIceCandidate(candidate)
  const [track] = camera.getVideoTracks()
  if (!track) throw new Error('No camera')
  const transceiver = sender.addTransceiver(track, { sendEncodings: [{ maxBitrate: kbps * 1_000 }] })
  const codecs = RTCRtpSender.getCapabilities('video')?.codecs ?? []
  const repairs = ['video/rtx', 'video/red', 'video/ulpfec']
  transceiver.setCodecPreferences(
    codecs.filter(({ mimeType }) => mimeType === `video/${codec}` || repairs.includes(mimeType)),
  )
  await sender.setLocalDescription()
  if (sender.localDescription) await receiver.setRemoteDescription(sender.localDescription)
  await receiver.setLocalDescription()
  if (receiver.localDescription) await sender.setRemoteDescription(receiver.localDescription)
  const stream = await arrived
  await show(stream)
  return { codec, stream, receiver, sender }
}

let calls: Call[] = []
let openedAt = 0

async function open(codecs: string[], kbps: number, relays: Relays): Promise<void> {
  calls = await Promise.all(codecs.map((codec) => call(codec, kbps, relays)))
  openedAt = performance.now()
  await new Promise((resolve) => setTimeout(resolve, WARM_UP_MS))
}

/** Shows the camera this picture (a PNG in base64) and resolves `ms` later. */
async function look(png: string, ms: number): Promise<void> {
  const response = await fetch(`data:image/png;base64,${png}`)
  picture = await createImageBitmap(await response.blob())
  await new Promise((resolve) => setTimeout(resolve, ms))
}

/** The JPEG in base64 that the product would upload of this stream now. */
async function capture(stream: MediaStream): Promise<string> {
  const frame = await grabFrame(stream)
  const jpeg = frame instanceof Blob ? frame : await encode(frame)
  return btoa(String.fromCharCode(...new Uint8Array(await jpeg.arrayBuffer())))
}

const captureOwn = () => capture(camera)

async function captureViews(): Promise<Record<string, string>> {
  const views = await Promise.all(calls.map(async ({ codec, stream }) => [codec, await capture(stream)] as const))
  return Object.fromEntries(views)
}

/** What each call really was: its codec, its kbit/s and the lines of its picture. */
async function describe(): Promise<Record<string, { codec: string; kbps: number; lines: number; lost: number }>> {
  const seconds = (performance.now() - openedAt) / 1_000
  const facts = await Promise.all(
    calls.map(async ({ codec, receiver }) => {
      const stats = [...(await receiver.getStats()).values()]
      const inbound = stats.find(({ type }) => type === 'inbound-rtp')
      const used = stats.find(({ id }) => id === inbound?.codecId)
      const packets = inbound?.packetsReceived + inbound?.packetsLost
      return [
        codec,
        {
          codec: String(used?.mimeType),
          kbps: Math.round((inbound?.bytesReceived * 8) / 1_000 / seconds),
          lines: Number(inbound?.frameHeight),
          lost: inbound?.packetsLost / packets,
        },
      ] as const
    }),
  )
  return Object.fromEntries(facts)
}

function close(): void {
  for (const { sender, receiver } of calls) {
    sender.close()
    receiver.close()
  }
  for (const video of document.querySelectorAll('video')) if (video.srcObject !== camera) video.remove()
}

await show(camera)
Object.assign(globalThis, { openCalls: open, look, captureOwn, captureViews, describe, closeCalls: close })
