import { model, files as servedFiles } from 'virtual:curtain-files'
import { AppError, toAppError } from '#protocol/errors.ts'
import { type CurtainFiles, type CurtainWorker, LOOK_SIDE } from '#workers/curtain/contract.ts'
import { connect, transfer, type WorkerConnection } from '#workers/rpc.ts'
import type { PictureLooks } from '../ports.ts'
import { ROUTINE_MS } from '../rules/curtain.ts'
import { createNewFrames, hasPicture, pictureOf } from './picture-reader.ts'

/** Longest second look at an empty picture with which the check runs: two slower looks would veil too late. */
const LOOK_MS_MAX = 1_500
/** Time after which the worker counts as hanging. A look takes a fraction of a second. */
const LOOK_DEADLINE_MS = 10_000

/** A small WebAssembly program with a vector instruction, which browsers without SIMD refuse. */
const SIMD_PROGRAM = Uint8Array.of(
  ...[0, 97, 115, 109, 1, 0, 0, 0, 1, 4, 1, 96, 0, 0, 3, 2, 1, 0, 10, 9, 1, 7, 0, 65, 0, 253, 15, 26, 11],
)

const startCurtainWorker = () =>
  new Worker(new URL('../../../workers/curtain/curtain.worker.ts', import.meta.url), {
    type: 'module',
    name: 'curtain',
  })

type Options = { startWorker?: () => Worker; files?: CurtainFiles; lookMsMax?: number }

/**
 * Looks at pictures in its own worker, which exists from `start` to `stop`. After `stop`, requests in progress reject
 * with `worker-died`. `look` rejects with `encode-failed` if the browser cannot copy the picture.
 */
export function createPictureLooks({
  startWorker = startCurtainWorker,
  files = servedFiles,
  lookMsMax = LOOK_MS_MAX,
}: Options = {}): PictureLooks<HTMLVideoElement> {
  const isNewFrame = createNewFrames()
  let running: { worker: Worker; connection: WorkerConnection<CurtainWorker>; tracks: WatchedTracks } | null = null

  function stop(): void {
    running?.connection.close()
    running?.worker.terminate()
    running = null
  }

  function open(): CurtainWorker {
    const worker = startWorker()
    const connection = connect<CurtainWorker>(worker, {
      onDeath: () => worker.terminate(),
      deadlines: {
        look: LOOK_DEADLINE_MS,
        lookAt: LOOK_DEADLINE_MS,
        keepLooking: ROUTINE_MS + LOOK_DEADLINE_MS,
      },
    })
    running = { worker, connection, tracks: createWatchedTracks(connection.remote) }
    return connection.remote
  }

  return {
    async start() {
      stop()
      if (!canRunSimd()) throw new AppError('curtain-no-simd')
      const remote = open()
      try {
        const firstLookMs = await remote.load(files)
        if (firstLookMs > lookMsMax) throw new AppError('curtain-too-slow', 'A look takes too long', { firstLookMs })
        return { model, firstLookMs }
      } catch (error) {
        // After `stop` another start may have begun.
        if (running?.connection.remote !== remote) throw error
        stop()
        if (toAppError(error).code !== 'worker-died') throw error
        throw new AppError('curtain-model-missing', 'The worker does not start')
      }
    },

    async look(video, of) {
      if (!running) throw new AppError('worker-died', 'The worker is not running')
      if (!hasPicture(video)) return null
      const { tracks, connection } = running
      const { remote } = connection
      const id = await tracks.idOf(video)
      const seen = id === null ? null : await remote.lookAt(id, of)
      if (seen || !hasPicture(video)) return seen
      // The worker has no new frame of the track. The frame that the video shows may already have been looked at.
      const isNew = id === null && isNewFrame(video)
      const picture = await pictureOf(video, LOOK_SIDE)
      try {
        return await remote.look(transfer(picture, [picture]), isNew ? of : null)
      } finally {
        // A picture that was not transferred would occupy one of the camera's few buffers.
        picture.close()
      }
    },

    async keepLooking(routine, forMs) {
      if (!running) throw new AppError('worker-died', 'The worker is not running')
      const { tracks, connection } = running
      const ids = await Promise.all(routine.map(({ video }) => tracks.idOf(video)))
      const looks = routine.flatMap(({ of, inMs, everyMs }, index) => {
        const id = ids[index] ?? null
        return id === null ? [] : [{ id, of, inMs, everyMs }]
      })
      return looks.length < routine.length ? null : connection.remote.keepLooking(looks, forMs)
    },

    interrupt() {
      // The worker may be gone; then there is no look to interrupt.
      running?.connection.remote.interrupt().catch(() => {})
    },

    stop,
  }
}

function canRunSimd(): boolean {
  return 'WebAssembly' in globalThis && WebAssembly.validate(SIMD_PROGRAM)
}

/** Only Chromium offers this class in pages, so TypeScript's types of a page do not contain it. */
type TrackProcessor = new (init: {
  track: MediaStreamTrack
  maxBufferSize: number
}) => { readable: ReadableStream<VideoFrame> }

type WatchedTracks = ReturnType<typeof createWatchedTracks>

/**
 * Passes the frames of the tracks that videos show to a worker, so that the page need not copy a picture for each look:
 * a copy takes several milliseconds of its thread on a slow device. The frames end with the track, with the worker, or
 * when the video shows another track.
 */
export function createWatchedTracks(remote: Pick<CurtainWorker, 'watch' | 'unwatch'>) {
  const watched = new Map<HTMLVideoElement, { track: MediaStreamTrack; id: Promise<number | null> }>()
  let lastId = 0

  function forgetOthers(): void {
    for (const [video, { track, id }] of watched) {
      if (video.isConnected && trackOf(video) === track) continue
      watched.delete(video)
      void unwatch(id)
    }
  }

  async function unwatch(id: Promise<number | null>): Promise<void> {
    const known = await id
    // The worker may be gone; then it watches nothing.
    if (known !== null) await remote.unwatch(known).catch(() => {})
  }

  /** Resolves with null if the browser does not give the frames to a worker. Never rejects. */
  async function watch(track: MediaStreamTrack): Promise<number | null> {
    const { MediaStreamTrackProcessor: Processor } = globalThis as { MediaStreamTrackProcessor?: TrackProcessor }
    if (!Processor) return null
    lastId += 1
    const id = lastId
    try {
      const { readable } = new Processor({ track, maxBufferSize: 1 })
      await remote.watch(id, transfer(readable, [readable]))
      return id
    } catch {
      return null
    }
  }

  return {
    /** Resolves with the worker's id of the track that the video shows; with null if it gets no frames. */
    async idOf(video: HTMLVideoElement): Promise<number | null> {
      forgetOthers()
      const track = trackOf(video)
      if (!track) return null
      const id = watched.get(video)?.id ?? watch(track)
      watched.set(video, { track, id })
      return id
    },
  }
}

/** Returns the track that the video shows; null if its stream has no or several video tracks. */
function trackOf({ srcObject }: HTMLVideoElement): MediaStreamTrack | null {
  if (!(srcObject instanceof MediaStream)) return null
  const [track, another] = srcObject.getVideoTracks()
  return track && !another ? track : null
}
