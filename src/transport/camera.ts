import { AppError } from '#protocol/errors.ts'
import { span } from '#workers/trace.ts'
import type { Camera } from '../domain/ports.ts'
import type { MediaSettings } from '../domain/quality-tier.ts'

/** What only some browsers tell about the machine. */
type NavigatorHints = Navigator & {
  connection?: { downlink?: number }
  deviceMemory?: number
}

const WEAK_CORES = 4
const WEAK_MEMORY_GB = 4

type Wish = keyof MediaSettings['video']

export function createCamera(): Camera<MediaStream> {
  const hints: NavigatorHints = navigator

  return {
    async allowed() {
      return (await isGranted('camera')) && (await isGranted('microphone'))
    },

    async open(settings) {
      const since = performance.now()
      try {
        return await openRelaxed(settings)
      } catch (thrown) {
        const reason = thrown instanceof Error ? thrown.name : String(thrown)
        throw new AppError('camera-refused', thrown instanceof Error ? thrown.message : reason, { reason })
      } finally {
        span('Call setup', 'camera', since)
      }
    },

    close(stream) {
      for (const track of stream.getTracks()) track.stop()
    },

    downlink: () => hints.connection?.downlink ?? null,
    weakCpu: () => navigator.hardwareConcurrency <= WEAK_CORES || (hints.deviceMemory ?? Infinity) < WEAK_MEMORY_GB,
    portrait: () => matchMedia('(orientation: portrait)').matches,
  }
}

async function isGranted(name: 'camera' | 'microphone'): Promise<boolean> {
  try {
    // Not every browser knows these two names; such a one rejects.
    return (await navigator.permissions.query({ name })).state === 'granted'
  } catch {
    return false
  }
}

/** Drops the minimum of each wish that the camera cannot meet; what it names twice, or not at all, ends in ideals alone. */
async function openRelaxed({ video, audio }: MediaSettings): Promise<MediaStream> {
  const wishes: Record<Wish, ConstrainULongRange> = { ...video }
  const relaxed = new Set<Wish>()
  for (;;) {
    try {
      return await navigator.mediaDevices.getUserMedia({ video: wishes, audio })
    } catch (thrown) {
      const wish = refusedWish(thrown)
      if (wish === null) throw thrown
      if (wish === 'unnamed' || relaxed.has(wish)) return await openWithIdeals({ video, audio })
      relaxed.add(wish)
      const { ideal, max } = video[wish]
      wishes[wish] = { ideal, max }
    }
  }
}

function openWithIdeals({ video, audio }: MediaSettings): Promise<MediaStream> {
  const { width, height, frameRate } = video
  const ideals = {
    width: { ideal: width.ideal },
    height: { ideal: height.ideal },
    frameRate: { ideal: frameRate.ideal },
  }
  return navigator.mediaDevices.getUserMedia({ video: ideals, audio })
}

function refusedWish(thrown: unknown): Wish | 'unnamed' | null {
  if (!(thrown instanceof OverconstrainedError)) return null
  const { constraint } = thrown
  return constraint === 'width' || constraint === 'height' || constraint === 'frameRate' ? constraint : 'unnamed'
}
