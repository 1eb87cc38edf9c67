import { AppError } from '#protocol/errors.ts'
import { transfer } from '#workers/rpc.ts'
import { span } from '#workers/trace.ts'
import { type Grabbed, grabFrame } from '../../platform/io/frame-grabber.ts'
import type { Workers } from '../../platform/io/workers.ts'
import type { FrameCapture } from '../ports.ts'

/**
 * Captures reject with `camera-refused` without a camera, and with the code of a failed upload. A hidden page sends no
 * dashboard pictures, since its camera picture is frozen and its timers are late.
 */
export function createFrameCapture(workers: Pick<Workers, 'media'>): FrameCapture<MediaStream> {
  const cameraDenied = watchPermission()

  async function handOver<T>(stream: MediaStream, to: (frame: Grabbed) => Promise<T>): Promise<T> {
    const start = performance.now()
    // The picture is captured synchronously, since a report ends the call and with it the picture of the reported user.
    const [frame, denied] = await Promise.all([grabFrame(stream), cameraDenied()])
    span('Frames', 'grab', start)
    try {
      if (denied) throw new AppError('camera-refused', 'Camera permission is missing to capture video frame')
      const handed = performance.now()
      const done = to(frame)
      span('Frames', 'transfer', handed)
      return await done
    } finally {
      // If the transfer failed, this thread owns the frame. An open frame takes one of the camera's few buffers.
      if (!(frame instanceof Blob)) frame.close()
    }
  }

  return {
    async capture(stream, kind, owner) {
      if (kind === 'dashboard' && document.hidden) return null
      return handOver(stream, (frame) => workers.media().captureFrame(transfer(frame, movable(frame)), kind, owner))
    },

    areChanged: () => workers.media().areReadsChanged(),

    async keep(stream) {
      const jpeg = await handOver(stream, async (frame) =>
        frame instanceof Blob ? frame : workers.media().encodeFrame(transfer(frame, [frame])),
      )
      return async (owner) => {
        await workers.media().captureFrame(jpeg, 'reported', owner)
      }
    },
  }
}

function movable(frame: Grabbed): Transferable[] {
  return frame instanceof Blob ? [] : [frame]
}

/** Queries the permission once; the returned status object then updates itself. */
function watchPermission(): () => Promise<boolean> {
  let status: Promise<PermissionStatus | null> | undefined
  return async () => {
    status ??= cameraPermission()
    return (await status)?.state === 'denied'
  }
}

/** Resolves with null if the browser does not report this permission. */
async function cameraPermission(): Promise<PermissionStatus | null> {
  try {
    return await navigator.permissions.query({ name: 'camera' })
  } catch {
    return null
  }
}
