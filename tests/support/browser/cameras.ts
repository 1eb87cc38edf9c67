import { onTestFinished } from 'vitest'
import { formOf } from './api-room.ts'
import type { SeenRequest } from './scripted-response.ts'

/** A camera that shows one colour. */
export function camera(width = 1280, height = 720, colour = 'red'): MediaStream {
  const canvas = document.createElement('canvas')
  Object.assign(canvas, { width, height })
  const context = canvas.getContext('2d')
  const paint = () => {
    if (!context) return
    context.fillStyle = colour
    context.fillRect(0, 0, width, height)
  }
  paint()
  const painting = setInterval(paint, 30)
  const stream = canvas.captureStream(30)
  onTestFinished(() => {
    clearInterval(painting)
    stop(stream)
  })
  return stream
}

export function stop(stream: MediaStream): void {
  for (const track of stream.getTracks()) track.stop()
}

/** Shows the stream in the page, as dashboard and call do; resolves at its first frame. */
export async function show(stream: MediaStream): Promise<HTMLVideoElement> {
  const video = document.createElement('video')
  Object.assign(video, { muted: true, autoplay: true, srcObject: stream })
  document.body.append(video)
  onTestFinished(() => {
    video.srcObject = null
    video.remove()
  })
  await new Promise((resolve) => video.requestVideoFrameCallback(resolve))
  return video
}

/** Returns the frame in an upload: its file, its size, and whether it is red. */
export async function uploadedPicture(request: SeenRequest | undefined) {
  if (!request) throw new Error('nothing arrived')
  const form = await formOf(request)
  const file = form.get('VideoFrame') as File
  const picture = await createImageBitmap(file)
  const canvas = document.createElement('canvas')
  const context = canvas.getContext('2d')
  context?.drawImage(picture, 0, 0)
  const [red = 0, green = 0, blue = 0] = context?.getImageData(10, 10, 1, 1).data ?? []
  return { file, width: picture.width, height: picture.height, isRed: red > 200 && green < 60 && blue < 60 }
}
