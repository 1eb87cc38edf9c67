import { transfer } from '#workers/rpc.ts'
import { grabFrame } from '../../platform/io/frame-grabber.ts'
import type { Workers } from '../../platform/io/workers.ts'
import type { PictureEditor } from '../ports.ts'

export function createPictureEditor(workers: Pick<Workers, 'media'>): PictureEditor<MediaStream, Blob> {
  return {
    measure: (picture) => workers.media().measurePicture(picture),
    crop: (picture, crop) => workers.media().cropPicture(picture, crop),
    async still(stream) {
      const frame = await grabFrame(stream)
      return frame instanceof Blob ? frame : workers.media().encodeFrame(transfer(frame, [frame]))
    },
  }
}
