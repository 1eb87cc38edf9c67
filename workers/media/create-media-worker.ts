import { NULL_EMAIL_ADDRESS, NULL_USER_SESSION_ID } from '#protocol/constants.ts'
import { AppError } from '#protocol/errors.ts'
import type { PictureOf, PictureState } from '#protocol/picture-state.ts'
import type { EndpointOutput } from '#protocol/rest.ts'
import type { NetworkWorker } from '../network/contract.ts'
import { connect, type WorkerConnection } from '../rpc.ts'
import { span } from '../trace.ts'
import { areReadsChanged } from './changed-reads.ts'
import { decodeChat, encodeChat } from './chat-codec.ts'
import type { FrameKind, MediaWorker } from './contract.ts'
import { createJpegEncoder } from './jpeg-encoder.ts'
import { READING_SIDE, readingOf } from './picture-reading.ts'
import { createPictureJudge, type PictureJudge } from './picture-state.ts'
import { cropPicture, measurePicture } from './profile-picture.ts'

const uploadOf = { dashboard: 'addVideoFrame', reported: 'addReportedFrame' } as const satisfies Record<
  FrameKind,
  string
>

export function createMediaWorker(): MediaWorker {
  const encodeJpeg = createJpegEncoder()
  let network: WorkerConnection<Pick<NetworkWorker, 'request'>> | null = null
  return {
    encodeFrame: encodeJpeg,
    areReadsChanged: async () => areReadsChanged(),
    async captureFrame(frame, kind, { email, userSessionId }) {
      const blob = frame instanceof Blob ? frame : await encodeJpeg(frame)
      if (!network) throw new AppError('worker-died', 'The network worker is not running')
      const start = performance.now()
      const answer: EndpointOutput<'addVideoFrame'> = await network.remote.request(uploadOf[kind], {
        EmailAddress: email || NULL_EMAIL_ADDRESS,
        UserSessionId: userSessionId || NULL_USER_SESSION_ID,
        ...(areReadsChanged() && { PictureChanged: 'true' }),
        file: { blob, fileName: 'frame.jpg' },
      })
      span('Frames', 'upload', start)
      return answer.online ?? null
    },
    measurePicture,
    cropPicture,
    readPicture: createPictureReader(),
    encodeChat: async (text) => encodeChat(text),
    decodeChat: async (text) => decodeChat(text),
    async connectNetwork(port) {
      network?.close()
      network = port && connect(port)
    },
  }
}

/** Reads pictures of the own camera and of the peer, which it closes, and judges each of the two over time. */
function createPictureReader() {
  let context: OffscreenCanvasRenderingContext2D | null = null
  const judges = new Map<PictureOf, PictureJudge>()

  return async (picture: VideoFrame | ImageBitmap, of: PictureOf, isFirst: boolean): Promise<PictureState | null> => {
    const start = performance.now()
    try {
      // Every picture is read back once, which is slow for a canvas in graphics memory.
      context ??= new OffscreenCanvas(READING_SIDE, READING_SIDE).getContext('2d', {
        alpha: false,
        willReadFrequently: true,
      })
      if (!context) throw new AppError('encode-failed', 'No canvas to draw on')
      context.drawImage(picture, 0, 0, READING_SIDE, READING_SIDE)
      const { data } = context.getImageData(0, 0, READING_SIDE, READING_SIDE)
      const judge = (!isFirst && judges.get(of)) || createPictureJudge(of)
      judges.set(of, judge)
      // `start` replaces the frame's own time, which Firefox does not tell.
      return judge(readingOf(data, READING_SIDE), start)
    } finally {
      picture.close()
      span('Frames', 'read', start)
    }
  }
}
