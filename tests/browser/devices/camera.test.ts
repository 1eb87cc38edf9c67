import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createCamera } from '../../../src/devices/io/camera.ts'
import type { DeviceChange, MediaChoice } from '../../../src/devices/ports.ts'
import { type MediaSettings, mediaSettings } from '../../../src/devices/rules/quality-tier.ts'
import { browserClock } from '../../../src/platform/io/browser-clock.ts'

const anyDevice = { camera: '', microphone: '', facing: 'user' } as const
const camera = createCamera(browserClock)
const opened: MediaStream[] = []
const stops: (() => void)[] = []

afterEach(() => {
  vi.restoreAllMocks()
  for (const stop of stops.splice(0)) stop()
  for (const stream of opened.splice(0)) camera.close(stream)
})

async function open(settings: MediaSettings, choice: MediaChoice = anyDevice): Promise<MediaStream> {
  const stream = await camera.open(settings, choice)
  opened.push(stream)
  return stream
}

async function reopen(kind: 'video' | 'audio', stream: MediaStream, choice: MediaChoice): Promise<MediaStream> {
  const next = await camera.reopen([kind], stream, high, choice)
  opened.push(next)
  return next
}

/** Records the constraints that the real camera is opened with. */
function recordConstraints(): MediaStreamConstraints[] {
  const requested: MediaStreamConstraints[] = []
  const real = navigator.mediaDevices.getUserMedia.bind(navigator.mediaDevices)
  vi.spyOn(navigator.mediaDevices, 'getUserMedia').mockImplementation((constraints) => {
    requested.push(structuredClone(constraints ?? {}))
    return real(constraints)
  })
  return requested
}

const kinds = (stream: MediaStream) => stream.getTracks().map(({ kind }) => kind)
const states = (stream: MediaStream) => stream.getTracks().map(({ readyState }) => readyState)
const high = mediaSettings('high', false)
const impossible = { ideal: 100_000, max: 200_000, min: 100_000 }

describe('the camera', () => {
  test('opens with picture and sound in the size of the tier, at the first try', async () => {
    const requested = recordConstraints()
    const stream = await open(high)
    expect(kinds(stream).toSorted()).toEqual(['audio', 'video'])
    expect(stream.getVideoTracks()[0]?.getSettings()).toMatchObject({ width: 1280, height: 720 })
    expect(requested).toEqual([{ video: { ...high.video, facingMode: 'user' }, audio: high.audio }])
  })

  test('that cannot meet a minimum opens without it, and the other constraints stay', async () => {
    const requested = recordConstraints()
    const stream = await open({ ...high, video: { ...high.video, width: impossible } })
    expect(kinds(stream)).toContain('video')
    expect(requested).toHaveLength(2)
    expect(requested[1]?.video).toEqual({
      ...high.video,
      facingMode: 'user',
      width: { ideal: 100_000, max: 200_000 },
    })
  })

  test('that can meet none of the minimums opens without them', async () => {
    const stream = await open({ ...high, video: { width: impossible, height: impossible, frameRate: impossible } })
    expect(kinds(stream)).toContain('video')
  })

  test('that cannot stay below a maximum opens with the ideals only', async () => {
    const requested = recordConstraints()
    const stream = await open({ ...high, video: { ...high.video, width: { ideal: 640, max: 0, min: 0 } } })
    expect(kinds(stream)).toContain('video')
    expect(requested.at(-1)?.video).toEqual({
      facingMode: 'user',
      width: { ideal: 640 },
      height: { ideal: 720 },
      frameRate: { ideal: 30 },
    })
  })

  test('that is open takes another size and back, with the same tracks', async () => {
    const stream = await open(high)
    const [picture] = stream.getVideoTracks()
    const tracks = stream.getTracks()
    for (const [tier, width] of [
      ['low', 640],
      ['high', 1280],
    ] as const) {
      await camera.resize(stream, mediaSettings(tier, false))
      await expect.poll(() => picture?.getSettings().width).toBe(width)
    }
    expect(stream.getTracks()).toEqual(tracks)
    expect(states(stream)).toEqual(['live', 'live'])
  })

  test('that cannot take another size goes on', async () => {
    const stream = await open(high)
    const size = stream.getVideoTracks()[0]?.getSettings().width
    await expect(camera.resize(stream, { ...high, video: { ...high.video, width: impossible } })).rejects.toThrow()
    expect(stream.getVideoTracks()[0]?.getSettings().width).toBe(size)
    expect(states(stream)).toEqual(['live', 'live'])
  })

  test('that is closed has no live track', async () => {
    const stream = await open(high)
    camera.close(stream)
    expect(states(stream)).toEqual(['ended', 'ended'])
  })

  test('that is darkened stops the camera alone, and gives a black picture of its size until it is closed', async () => {
    const stream = await open(high)
    const [picture] = stream.getVideoTracks()
    const { width, height } = picture?.getSettings() ?? {}
    const dark = camera.darken(stream)
    expect([picture?.readyState, ...states(dark)]).toEqual(['ended', 'live', 'live'])
    expect(dark.getAudioTracks()).toEqual(stream.getAudioTracks())
    const video = document.createElement('video')
    Object.assign(video, { srcObject: dark, muted: true })
    await video.play()
    expect([video.videoWidth, video.videoHeight]).toEqual([width, height])
    const time = video.currentTime
    await expect.poll(() => video.currentTime).toBeGreaterThan(time)
    const context = new OffscreenCanvas(1, 1).getContext('2d')
    context?.drawImage(video, 0, 0, 1, 1)
    expect([...(context?.getImageData(0, 0, 1, 1).data ?? [])]).toEqual([0, 0, 0, 255])
    video.srcObject = null
    const paint = vi.spyOn(CanvasRenderingContext2D.prototype, 'fillRect')
    await expect.poll(() => paint.mock.calls.length).toBeGreaterThan(0)
    camera.close(dark)
    const stopped = vi.spyOn(globalThis, 'clearInterval')
    await expect.poll(() => stopped.mock.calls.length).toBe(1)
  })

  test('sends no picture or sound that is switched off, and stays open', async () => {
    const stream = await open(high)
    camera.enable(stream, 'video', false)
    expect(stream.getVideoTracks()[0]?.enabled).toBe(false)
    expect(stream.getAudioTracks()[0]?.enabled).toBe(true)
    expect(states(stream)).toEqual(['live', 'live'])
  })
})

describe('a chosen device', () => {
  const idsOf = async (kind: string) =>
    (await camera.devices()).filter((device) => device.kind === kind).map(({ id }) => id)

  test('is one of the listed devices, without the aliases of the system’s default', async () => {
    await open(high)
    const devices = await camera.devices()
    const hasSpeakers = (await navigator.mediaDevices.enumerateDevices()).some(({ kind }) => kind === 'audiooutput')
    expect(new Set(devices.map(({ kind }) => kind))).toEqual(
      new Set(['camera', 'microphone', ...(hasSpeakers ? ['speaker'] : [])]),
    )
    expect(devices.filter(({ id, label }) => id === 'default' || id === '' || label === '')).toEqual([])
  })

  test('is the one that opens', async () => {
    const [video] = await idsOf('camera')
    const last = (await idsOf('microphone')).at(-1) ?? ''
    const stream = await open(high, { ...anyDevice, camera: video ?? '', microphone: last })
    expect(camera.deviceOf(stream, 'video')).toBe(video)
    expect(camera.deviceOf(stream, 'audio')).toBe(last)
  })

  test('that is gone is replaced, and the other choice stays', async () => {
    const last = (await idsOf('microphone')).at(-1) ?? ''
    const stream = await open(high, { ...anyDevice, camera: 'x'.repeat(64), microphone: last })
    expect(states(stream)).toEqual(['live', 'live'])
    expect(camera.deviceOf(stream, 'audio')).toBe(last)
  })

  test('replaces the previous track in a new stream, which keeps the other track', async () => {
    const last = (await idsOf('microphone')).at(-1) ?? ''
    const first = await open(high)
    const [picture] = first.getVideoTracks()
    const [sound] = first.getAudioTracks()
    const next = await reopen('audio', first, { ...anyDevice, microphone: last })
    expect(next).not.toBe(first)
    expect(next.getVideoTracks()).toEqual([picture])
    expect([picture?.readyState, sound?.readyState]).toEqual(['live', 'ended'])
    expect(camera.deviceOf(next, 'audio')).toBe(last)
    expect(states(next)).toEqual(['live', 'live'])
  })

  test('is the other camera of a phone after a flip, and the previous one is stopped first', async () => {
    const first = await open(high)
    const [picture] = first.getVideoTracks()
    let before = ''
    const real = navigator.mediaDevices.getUserMedia.bind(navigator.mediaDevices)
    const asking = vi.spyOn(navigator.mediaDevices, 'getUserMedia').mockImplementation((constraints) => {
      before = picture?.readyState ?? ''
      return real(constraints)
    })
    const next = await reopen('video', first, { ...anyDevice, facing: 'environment' })
    expect(before).toBe('ended')
    expect(asking.mock.calls).toEqual([[{ video: { ...high.video, facingMode: 'environment' }, audio: false }]])
    expect(next.getAudioTracks()).toEqual(first.getAudioTracks())
  })
})

describe('an interruption of a track', () => {
  test('is reported with its kind until the listener unsubscribes', async () => {
    const stream = await open(high)
    const events: string[] = []
    const stop = camera.watch(stream, (kind, what) => void events.push(`${kind} ${what}`))
    const [picture] = stream.getVideoTracks()
    const [sound] = stream.getAudioTracks()
    for (const event of ['mute', 'unmute', 'ended']) picture?.dispatchEvent(new Event(event))
    sound?.dispatchEvent(new Event('mute'))
    expect(events).toEqual(['video paused', 'video resumed', 'video ended', 'audio paused'])
    stop()
    sound?.dispatchEvent(new Event('unmute'))
    expect(events).toHaveLength(4)
  })

  test('that began before the track was opened is reported at once', async () => {
    const stream = await open(high)
    const [sound] = stream.getAudioTracks()
    const [picture] = stream.getVideoTracks()
    for (const track of [sound, picture]) Object.defineProperty(track, 'muted', { value: true })
    picture?.stop()
    const events: string[] = []
    stops.push(camera.watch(stream, (kind, what) => void events.push(`${kind} ${what}`)))
    expect(events).toEqual(['audio paused'])
  })

  test('is reported as the browser itself fires it', async () => {
    const [from, to] = [new RTCPeerConnection(), new RTCPeerConnection()]
    from.onicecandidate = ({ candidate }) => void to.addIceCandidate(candidate ?? undefined)
    to.onicecandidate = ({ candidate }) => void from.addIceCandidate(candidate ?? undefined)
    async function negotiate() {
      await from.setLocalDescription()
      if (from.localDescription) await to.setRemoteDescription(from.localDescription)
      await to.setLocalDescription()
      if (to.localDescription) await from.setRemoteDescription(to.localDescription)
    }
    const events: string[] = []
    to.ontrack = ({ streams: [stream] }) => {
      if (stream) stops.push(camera.watch(stream, (kind, what) => void events.push(`${kind} ${what}`)))
    }
    const transceiver = from.addTransceiver('video', { streams: [new MediaStream()], direction: 'sendonly' })
    await transceiver.sender.replaceTrack((await open(high)).getVideoTracks()[0] ?? null)
    await negotiate()
    // A peer's track is paused until its first picture.
    await expect.poll(() => events).toEqual(['video paused', 'video resumed'])
    transceiver.stop()
    await negotiate()
    await expect.poll(() => events).toContain('video ended')
    from.close()
    to.close()
  })

  test('is not reported if the track is stopped on purpose', async () => {
    const first = await open(high)
    const events: string[] = []
    stops.push(camera.watch(first, (kind, what) => void events.push(`${kind} ${what}`)))
    await reopen('video', first, anyDevice)
    expect(events).toEqual([])
  })
})

describe('a change', () => {
  let events: DeviceChange[]
  beforeEach(() => {
    events = []
  })

  const listen = () => stops.push(camera.onDevices((change) => void events.push(change)))

  test('of devices and of the page is reported until the listener unsubscribes', () => {
    listen()
    navigator.mediaDevices.dispatchEvent(new Event('devicechange'))
    document.dispatchEvent(new Event('visibilitychange'))
    expect(events).toEqual(['devices', 'shown'])
    for (const stop of stops.splice(0)) stop()
    navigator.mediaDevices.dispatchEvent(new Event('devicechange'))
    document.dispatchEvent(new Event('visibilitychange'))
    expect(events).toHaveLength(2)
  })

  test('of the page is not reported while it is hidden', () => {
    vi.spyOn(document, 'hidden', 'get').mockReturnValue(true)
    listen()
    document.dispatchEvent(new Event('visibilitychange'))
    expect(events).toEqual([])
  })

  test('of a permission is reported when it is granted, not when it is revoked', async () => {
    const statuses = answerPermissions({ camera: 'prompt', microphone: 'prompt' })
    listen()
    await expect.poll(() => statuses).toHaveLength(2)
    await Promise.resolve()
    for (const [state, times] of [
      ['denied', 0],
      ['granted', 2],
      ['prompt', 4],
    ] as const) {
      for (const status of statuses) {
        Object.defineProperty(status, 'state', { value: state, configurable: true })
        status.dispatchEvent(new Event('change'))
      }
      expect(events).toEqual(Array(times).fill('permission'))
    }
  })

  test('of a permission is not reported by a browser that does not support these permissions', async () => {
    vi.spyOn(navigator.permissions, 'query').mockRejectedValue(new TypeError('camera is no permission name'))
    listen()
    navigator.mediaDevices.dispatchEvent(new Event('devicechange'))
    expect(events).toEqual(['devices'])
  })
})

/** Replaces the permission query for the two names. Returns the statuses by name. */
function answerPermissions(states: Record<string, PermissionState>): PermissionStatus[] {
  const made: PermissionStatus[] = []
  const real = navigator.permissions.query.bind(navigator.permissions)
  vi.spyOn(navigator.permissions, 'query').mockImplementation(async ({ name }) => {
    const status = await real({ name })
    Object.defineProperty(status, 'state', { value: states[name], configurable: true })
    made.push(status)
    return status
  })
  return made
}

test("the system's own device is the first of its kind, where the browser lists it twice", async () => {
  const listed = (kind: MediaDeviceKind, deviceId: string, groupId: string) => ({
    kind,
    deviceId,
    groupId,
    label: deviceId,
  })
  vi.spyOn(navigator.mediaDevices, 'enumerateDevices').mockResolvedValue([
    listed('audioinput', 'default', 'headset'),
    listed('audioinput', 'm1', 'laptop'),
    listed('audioinput', 'm2', 'headset'),
    listed('audiooutput', 's1', 'laptop'),
    listed('audiooutput', 's2', 'headset'),
  ] as MediaDeviceInfo[])
  const ids = (await camera.devices()).map(({ kind, id }) => `${kind} ${id}`)
  expect(ids).toEqual(['microphone m2', 'microphone m1', 'speaker s1', 'speaker s2'])
})

describe('a browser that does not answer', () => {
  /** A camera whose limits of time have passed as soon as they begin. */
  const hurried = createCamera({
    after(_ms, task) {
      const timer = setTimeout(task)
      return () => clearTimeout(timer)
    },
  })
  const never = () => new Promise<never>(() => {})

  test.each([
    ['granted', 'busy'],
    ['prompt', 'dismissed'],
  ] as const)('with the permission %s is reported as %s, and what it opens later is closed', async (state, trouble) => {
    const late = await open(high)
    vi.spyOn(navigator.permissions, 'query').mockResolvedValue({ state } as PermissionStatus)
    const answer = Promise.withResolvers<MediaStream>()
    vi.spyOn(navigator.mediaDevices, 'getUserMedia').mockReturnValue(answer.promise)
    await expect(hurried.open(high, anyDevice)).rejects.toMatchObject({ details: { reason: 'TimeoutError', trouble } })
    answer.resolve(late)
    await expect.poll(() => states(late)).toEqual(['ended', 'ended'])
  })

  test('while the page is hidden is waited for', async () => {
    const hidden = vi.spyOn(document, 'hidden', 'get').mockReturnValue(true)
    vi.spyOn(navigator.permissions, 'query').mockResolvedValue({ state: 'granted' } as PermissionStatus)
    vi.spyOn(navigator.mediaDevices, 'getUserMedia').mockImplementation(never)
    let failed = false
    const opened = hurried.open(high, anyDevice).catch(() => {
      failed = true
    })
    for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setTimeout(resolve))
    expect(failed).toBe(false)
    hidden.mockReturnValue(false)
    await opened
    expect(failed).toBe(true)
  })

  test('about its devices and permissions keeps nobody waiting', async () => {
    vi.spyOn(navigator.permissions, 'query').mockImplementation(never)
    vi.spyOn(navigator.mediaDevices, 'enumerateDevices').mockImplementation(never)
    expect(await hurried.isAllowed()).toBe(false)
    await expect(hurried.devices()).rejects.toThrow('did not answer')
    vi.spyOn(navigator.mediaDevices, 'getUserMedia').mockRejectedValue(new DOMException('No', 'NotFoundError'))
    await expect(hurried.open(high, anyDevice)).rejects.toMatchObject({ details: { trouble: 'absent' } })
  })
})

describe('a refusal', () => {
  function refuse(name: string, message = 'No') {
    return vi.spyOn(navigator.mediaDevices, 'getUserMedia').mockRejectedValue(new DOMException(message, name))
  }

  test.each([
    ['NotAllowedError', 'denied', 'granted', 'denied'],
    ['NotAllowedError', 'granted', 'denied', 'denied'],
    ['NotAllowedError', 'granted', 'prompt', 'dismissed'],
    ['NotAllowedError', 'granted', 'granted', 'system'],
    ['NotFoundError', 'granted', 'granted', 'absent'],
    ['NotReadableError', 'granted', 'granted', 'busy'],
  ] as const)(
    '%s with camera %s and microphone %s is reported as %s, after one try',
    async (name, one, two, trouble) => {
      answerPermissions({ camera: one, microphone: two })
      const requested = refuse(name)
      await expect(camera.open(high, anyDevice)).rejects.toMatchObject({
        code: 'camera-refused',
        details: { reason: name, trouble },
      })
      expect(requested).toHaveBeenCalledOnce()
    },
  )

  test('is recognised without the error class, which not every browser has', async () => {
    vi.stubGlobal('OverconstrainedError', undefined)
    stops.push(() => vi.unstubAllGlobals())
    const stream = await open({ ...high, video: { ...high.video, width: impossible } })
    expect(kinds(stream)).toContain('video')
  })

  test('on a page that is not secure is reported as such', async () => {
    vi.spyOn(navigator, 'mediaDevices', 'get').mockReturnValue(undefined as unknown as MediaDevices)
    const blind = createCamera(browserClock)
    await expect(blind.open(high, anyDevice)).rejects.toMatchObject({ details: { trouble: 'insecure' } })
    expect(await blind.devices()).toEqual([])
    blind.onDevices(() => {})()
  })
})

describe('the level of the microphone', () => {
  test('rises with the sound, and is 0 while the microphone is switched off', async () => {
    const stream = await open(high)
    let level = 0
    stops.push(
      camera.measure(stream, (loudness) => {
        level = loudness
      }),
    )
    // The fake microphone beeps once a second.
    await expect.poll(() => level).toBeGreaterThan(0.2)
    expect(level).toBeLessThanOrEqual(1)
    camera.enable(stream, 'audio', false)
    await expect.poll(() => level).toBe(0)
  })

  test('keeps nothing running after it was stopped', async () => {
    const closed = vi.spyOn(AudioContext.prototype, 'close')
    const stream = await open(high)
    const listener = vi.fn()
    const stop = camera.measure(stream, listener)
    await expect.poll(() => listener.mock.calls.length).toBeGreaterThan(0)
    stop()
    const before = listener.mock.calls.length
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
    expect(listener).toHaveBeenCalledTimes(before)
    expect(closed).toHaveBeenCalledOnce()
  })

  test('of a stream without sound is not measured', () => {
    camera.measure(new MediaStream(), () => expect.unreachable())()
  })
})

describe('the properties of the machine', () => {
  test('include the browser’s estimate of the downlink, or null', () => {
    const estimate = camera.downlink()
    expect(estimate === null || estimate >= 0).toBe(true)
  })

  test('include the orientation of the page', () => {
    expect(camera.portrait()).toBe(innerHeight >= innerWidth)
  })
})
