import { createFrameCapture } from '../../../src/devices/io/frame-capture.ts'
import { createWorkers } from '../../../src/platform/io/workers.ts'

/** A page that shows its camera and captures from it: by the product's way, and as one would first write it. */

const owner = { email: 'ada@example.org', userSessionId: 's1' }
const frames = createFrameCapture(createWorkers())
let stream = new MediaStream()
const video = document.createElement('video')
Object.assign(video, { muted: true, autoplay: true })
document.body.append(video)

/** Opens the camera in this size and shows it. */
async function open(width: number, height: number): Promise<void> {
  for (const track of stream.getTracks()) track.stop()
  stream = await navigator.mediaDevices.getUserMedia({ video: { width: { exact: width }, height: { exact: height } } })
  video.srcObject = stream
  await new Promise((resolve) => video.requestVideoFrameCallback(resolve))
}

const ways = {
  ours: () => frames.capture(stream, 'dashboard', owner),
  /** The same JPEG, at most 640 pixels wide, and without the upload that ours does too. */
  naive: () => {
    const scale = Math.min(1, 640 / video.videoWidth)
    const canvas = document.createElement('canvas')
    Object.assign(canvas, { width: video.videoWidth * scale, height: video.videoHeight * scale })
    canvas.getContext('2d')?.drawImage(video, 0, 0, canvas.width, canvas.height)
    return new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/jpeg', 0.8))
  },
  nothing: async () => {},
}

/** Captures so often, each at its time, whatever the one before took. Ends when all are done and all the time has passed. */
async function capture(way: keyof typeof ways, times: number, apartMs: number): Promise<void> {
  const running: Promise<unknown>[] = []
  for (let time = 0; time < times; time += 1) {
    running.push(ways[way]())
    await new Promise((resolve) => setTimeout(resolve, apartMs))
  }
  await Promise.all(running)
}

Object.assign(globalThis, { open, capture })
