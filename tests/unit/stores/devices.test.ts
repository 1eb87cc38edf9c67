import { beforeEach, describe, expect, test, vi } from 'vitest'
import { AppError } from '#protocol/errors.ts'
import type { Camera, MediaChoice, MediaKind } from '../../../src/domain/ports.ts'
import { createDeviceStore } from '../../../src/stores/devices.ts'
import { fakeClock } from '../../support/fake-clock.ts'
import { silentLog } from '../../support/silent-log.ts'

/** A stream as far as this store looks at it: an object of its own, which says what happened to it. */
type FakeStream = { name: string; closed: boolean; on: Record<MediaKind, boolean> }
type Watcher = Parameters<Camera<MediaStream>['watch']>[1]

function world() {
  const made: FakeStream[] = []
  const asked: MediaChoice[] = []
  const kept = new Map<string, string>()
  let watcher: Watcher | null = null
  let plug: (() => void) | null = null
  let refusal: AppError | null = null

  function make(name: string): MediaStream {
    const stream: FakeStream = { name, closed: false, on: { audio: true, video: true } }
    made.push(stream)
    return stream as unknown as MediaStream
  }
  const fakeOf = (stream: MediaStream) => stream as unknown as FakeStream

  const camera: Camera<MediaStream> = {
    allowed: async () => true,
    async open(_settings, choice) {
      asked.push(choice)
      if (refusal) throw refusal
      return make(`opened ${made.length + 1}`)
    },
    async reopen(kind, _stream, _settings, choice) {
      asked.push(choice)
      if (refusal) throw refusal
      return make(`${kind} ${made.length + 1}`)
    },
    close: (stream) => {
      fakeOf(stream).closed = true
    },
    enable: (stream, kind, on) => {
      fakeOf(stream).on[kind] = on
    },
    watch(_stream, listener) {
      watcher = listener
      return () => {
        if (watcher === listener) watcher = null
      }
    },
    devices: async () => [{ kind: 'camera', id: 'c1', label: 'One' }],
    onDevices(listener) {
      plug = listener
      return () => {
        plug = null
      }
    },
    downlink: () => null,
    weakCpu: () => false,
    portrait: () => false,
  }
  const devices = createDeviceStore({
    camera,
    frames: { capture: async () => {} },
    storage: {
      get: async (key) => kept.get(key),
      set: async (key, value) => void (typeof value === 'string' && kept.set(key, value)),
      clear: async () => kept.clear(),
    },
    clock: fakeClock(),
    log: silentLog(),
  })
  return {
    devices,
    made,
    asked,
    kept,
    current: () => devices.stream.value && fakeOf(devices.stream.value),
    refuse: (trouble: string | null) => {
      refusal = trouble === null ? null : new AppError('camera-refused', 'No', { trouble })
    },
    happens: (...args: Parameters<Watcher>) => watcher?.(...args),
    plug: () => plug?.(),
    listening: () => [watcher, plug].filter((one) => one !== null).length,
  }
}

let all: ReturnType<typeof world>
beforeEach(() => {
  all = world()
})

describe('a camera that was refused', () => {
  test('is known by its trouble, and opens by itself when a device or a permission comes', async () => {
    all.refuse('absent')
    await expect(all.devices.open()).rejects.toMatchObject({ code: 'camera-refused' })
    expect([all.devices.state.value, all.devices.trouble.value]).toEqual(['refused', 'absent'])
    all.refuse(null)
    all.plug()
    await vi.waitFor(() => expect(all.devices.state.value).toBe('granted'))
    expect(all.devices.trouble.value).toBeNull()
  })

  test('is not opened any more once the screen was left', async () => {
    all.refuse('denied')
    await expect(all.devices.open()).rejects.toThrow()
    all.devices.close()
    all.refuse(null)
    all.plug()
    expect(all.made).toEqual([])
    expect(all.listening()).toBe(0)
  })
})

describe('what is chosen', () => {
  test('is used at once, in a stream of its own, and at the next visit', async () => {
    await all.devices.open()
    const first = all.devices.stream.value
    all.devices.choose('camera', 'c2')
    await vi.waitFor(() => expect(all.current()?.name).toBe('video 2'))
    expect(all.devices.stream.value).not.toBe(first)
    all.devices.close()
    await all.devices.open()
    expect(all.asked.map(({ camera }) => camera)).toEqual(['', 'c2', 'c2'])
  })

  test('of a speaker opens nothing', async () => {
    await all.devices.open()
    all.devices.choose('speaker', 's1')
    expect(all.devices.chosen.value.speaker).toBe('s1')
    expect(all.kept.get('speakerId')).toBe('s1')
    expect(all.made).toHaveLength(1)
  })

  test('gives way to the other side of the phone', async () => {
    await all.devices.open()
    all.devices.choose('camera', 'c2')
    all.devices.flip()
    await vi.waitFor(() => expect(all.made).toHaveLength(3))
    expect(all.asked.at(-1)).toMatchObject({ camera: '', facing: 'environment' })
  })
})

describe('what is switched off', () => {
  test('stays off with every device that comes after, and is on again at the next visit', async () => {
    await all.devices.open()
    all.devices.toggleMicrophone()
    all.devices.toggleCamera()
    expect(all.current()?.on).toEqual({ audio: false, video: false })
    all.devices.choose('microphone', 'm2')
    await vi.waitFor(() => expect(all.current()?.name).toBe('audio 2'))
    expect(all.current()?.on).toEqual({ audio: false, video: false })
    all.devices.toggleCamera()
    expect(all.current()?.on).toEqual({ audio: false, video: true })
    all.devices.close()
    await all.devices.open()
    expect(all.current()?.on).toEqual({ audio: true, video: true })
  })
})

describe('a device that is lost in the middle', () => {
  test('is made up for by another at once', async () => {
    await all.devices.open()
    all.happens('video', 'ended')
    await vi.waitFor(() => expect(all.current()?.name).toBe('video 2'))
    expect(all.devices.interruption.value).toBeNull()
  })

  test('is said to be lost until one is plugged in', async () => {
    await all.devices.open()
    all.refuse('absent')
    all.happens('audio', 'ended')
    await vi.waitFor(() => expect(all.asked).toHaveLength(2))
    expect(all.devices.interruption.value).toEqual({ kind: 'audio', what: 'lost' })
    all.refuse(null)
    all.plug()
    await vi.waitFor(() => expect(all.current()?.name).toBe('audio 2'))
    expect(all.devices.interruption.value).toBeNull()
  })

  test('by a pause of the system comes back with its end, without being opened anew', async () => {
    await all.devices.open()
    all.happens('video', 'paused')
    expect(all.devices.interruption.value).toEqual({ kind: 'video', what: 'paused' })
    all.happens('audio', 'resumed')
    expect(all.devices.interruption.value).not.toBeNull()
    all.happens('video', 'resumed')
    expect(all.devices.interruption.value).toBeNull()
    expect(all.made).toHaveLength(1)
  })
})

test('a device that opens after the screen was left is closed again: no light stays on', async () => {
  await all.devices.open()
  all.devices.choose('camera', 'c2')
  all.devices.close()
  const opening = all.devices.open()
  all.devices.close()
  await opening
  await vi.waitFor(() => expect(all.made.every(({ closed }) => closed)).toBe(true))
  expect(all.devices.stream.value).toBeNull()
  expect(all.listening()).toBe(0)
})
