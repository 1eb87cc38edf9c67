import { afterEach, describe, expect, test } from 'vitest'
import { type MediaSettings, mediaSettings } from '../../../src/domain/quality-tier.ts'
import { createCamera } from '../../../src/transport/camera.ts'

const anyDevice = { camera: '', microphone: '', facing: 'user' } as const
const camera = createCamera()
const opened: MediaStream[] = []
const real = navigator.mediaDevices.getUserMedia

afterEach(() => {
  navigator.mediaDevices.getUserMedia = real
  for (const stream of opened.splice(0)) camera.close(stream)
})

async function open(settings: MediaSettings): Promise<MediaStream> {
  const stream = await camera.open(settings, anyDevice)
  opened.push(stream)
  return stream
}

/** Keeps what is asked of the real camera. */
function watchAsking(): MediaStreamConstraints[] {
  const asked: MediaStreamConstraints[] = []
  navigator.mediaDevices.getUserMedia = (constraints) => {
    asked.push(structuredClone(constraints ?? {}))
    return real.call(navigator.mediaDevices, constraints)
  }
  return asked
}

const kinds = (stream: MediaStream) => stream.getTracks().map(({ kind }) => kind)
const high = mediaSettings('high', false)
const impossible = { ideal: 100_000, max: 200_000, min: 100_000 }

describe('the camera', () => {
  test('opens with picture and sound in the size of the tier, at the first try', async () => {
    const asked = watchAsking()
    const stream = await open(high)
    expect(kinds(stream).toSorted()).toEqual(['audio', 'video'])
    expect(stream.getVideoTracks()[0]?.getSettings()).toMatchObject({ width: 1280, height: 720 })
    expect(asked).toEqual([{ video: { ...high.video, facingMode: 'user' }, audio: high.audio }])
  })

  test('that cannot meet a minimum opens without it, and the other wishes stay', async () => {
    const asked = watchAsking()
    const stream = await open({ ...high, video: { ...high.video, width: impossible } })
    expect(kinds(stream)).toContain('video')
    expect(asked).toHaveLength(2)
    expect(asked[1]?.video).toEqual({
      ...high.video,
      facingMode: 'user',
      width: { ideal: 100_000, max: 200_000 },
    })
  })

  test('that can meet none of the minimums opens all the same', async () => {
    const stream = await open({ ...high, video: { width: impossible, height: impossible, frameRate: impossible } })
    expect(kinds(stream)).toContain('video')
  })

  test('that cannot keep below a maximum opens by the ideals alone', async () => {
    const asked = watchAsking()
    const stream = await open({ ...high, video: { ...high.video, width: { ideal: 640, max: 0, min: 0 } } })
    expect(kinds(stream)).toContain('video')
    expect(asked.at(-1)?.video).toEqual({
      facingMode: 'user',
      width: { ideal: 640 },
      height: { ideal: 720 },
      frameRate: { ideal: 30 },
    })
  })

  test.each(['NotAllowedError', 'NotFoundError', 'NotReadableError'])(
    'that fails with %s is refused with it',
    async (name) => {
      let asked = 0
      navigator.mediaDevices.getUserMedia = () => {
        asked += 1
        return Promise.reject(new DOMException('No', name))
      }
      await expect(camera.open(high, anyDevice)).rejects.toMatchObject({
        code: 'camera-refused',
        details: { reason: name },
      })
      expect(asked).toBe(1)
    },
  )

  test('that is closed has no live track', async () => {
    const stream = await open(high)
    camera.close(stream)
    expect(stream.getTracks().map(({ readyState }) => readyState)).toEqual(['ended', 'ended'])
  })
})

describe('what is known before asking', () => {
  const query = navigator.permissions.query
  afterEach(() => {
    navigator.permissions.query = query
  })

  /** A status as the browser would give it for each of the two names. */
  function permissions(states: Record<string, PermissionState>) {
    navigator.permissions.query = async ({ name }) =>
      Object.defineProperty(await query.call(navigator.permissions, { name }), 'state', { value: states[name] })
  }

  test('is that the browser would open both without asking', async () => {
    expect(await camera.allowed()).toBe(true)
  })

  test.each([
    { camera: 'prompt', microphone: 'granted' },
    { camera: 'granted', microphone: 'denied' },
  ] as const)('is no permission with %o', async (states) => {
    permissions(states)
    expect(await camera.allowed()).toBe(false)
  })

  test('is no permission where the browser does not know these names', async () => {
    navigator.permissions.query = () => Promise.reject(new TypeError('camera is no permission name'))
    expect(await camera.allowed()).toBe(false)
  })

  test('is the downlink by the browser’s estimate, or nothing', () => {
    const estimate = camera.downlink()
    expect(estimate === null || estimate >= 0).toBe(true)
  })

  test('is how the page is held', () => {
    expect(camera.portrait()).toBe(innerHeight >= innerWidth)
  })
})
