import fc from 'fast-check'
import { beforeEach, describe, expect, test } from 'vitest'
import type { MediaTrouble } from '../../../src/devices/rules/media-trouble.ts'
import { twoOfEach } from '../../support/fakes/fake-camera.ts'
import { deviceVisit as visit } from '../../support/stores/device-visit.ts'
import { waitFor } from '../../support/wait-for.ts'

let here: ReturnType<typeof visit>
beforeEach(() => {
  here = visit()
})

const device = (id: string) => twoOfEach.find((each) => each.id === id) ?? expect.fail(`${id} is no device`)
const until = waitFor

/** Resolves when everything that is pending has settled. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve))
}

describe('camera and microphone', () => {
  test('are opened once for concurrent callers', async () => {
    const [one, other] = await Promise.all([here.devices.open(), here.devices.open()])
    expect(one).toBe(other)
    expect(await here.devices.open()).toBe(one)
    expect(here.asked).toHaveLength(1)
    expect(here.devices.state.value).toBe('granted')
  })

  test.each<MediaTrouble>(['denied', 'dismissed', 'busy', 'absent', 'insecure', 'system'])(
    'that are refused have their trouble: %s',
    async (trouble) => {
      here.refuse(trouble)
      await expect(here.devices.open()).rejects.toMatchObject({ code: 'camera-refused' })
      expect([here.devices.state.value, here.devices.trouble.value]).toEqual(['refused', trouble])
    },
  )
})

describe('another microphone and speaker of the system', () => {
  test('are followed where the choice is left to it, and the user is told', async () => {
    await here.devices.open()
    await settled()
    here.prefer('m2')
    await until(() => expect(here.using().microphone).toBe('m2'))
    here.prefer('s2')
    await settled()
    expect(here.told).toEqual(['Headset', 'Headset'])
    here.prefer('c2')
    await settled()
    expect(here.using()).toEqual({ camera: 'c1', microphone: 'm2' })
    expect(here.told).toHaveLength(2)
  })

  test('change nothing for a user who has chosen others', async () => {
    await here.devices.open()
    here.devices.choose('microphone', 'm1')
    here.devices.choose('speaker', 's1')
    await settled()
    here.prefer('m2')
    here.prefer('s2')
    await settled()
    expect(here.using().microphone).toBe('m1')
    expect(here.told).toEqual([])
  })

  test('between two visits are no news', async () => {
    await here.devices.open()
    await settled()
    here.devices.close()
    here.prefer('m2')
    await here.devices.open()
    await settled()
    expect([here.using().microphone, here.told]).toEqual(['m2', []])
  })
})

describe('refused devices are opened again', () => {
  test.each([
    ['denied', 'permission'],
    ['dismissed', 'permission'],
    ['system', 'permission'],
    ['absent', 'devices'],
    ['busy', 'devices'],
    ['busy', 'shown'],
    ['system', 'shown'],
  ] as const)('by itself: %s, after a change of %s', async (trouble, change) => {
    here.refuse(trouble)
    await expect(here.devices.open()).rejects.toThrow()
    here.refuse(null)
    here.tellDevices(change)
    await until(() => expect(here.devices.state.value).toBe('granted'))
    expect(here.devices.trouble.value).toBeNull()
  })

  test.each([
    ['denied', 'devices'],
    ['denied', 'shown'],
    ['dismissed', 'shown'],
    ['insecure', 'devices'],
  ] as const)('but not if the result would be the same: %s, after a change of %s', async (trouble, change) => {
    here.refuse(trouble)
    await expect(here.devices.open()).rejects.toThrow()
    here.tellDevices(change)
    await settled()
    expect(here.asked).toHaveLength(1)
  })

  test('at once if the user allowed them while they were being refused', async () => {
    here.refuse('system')
    const opening = here.devices.open()
    here.tellDevices('permission')
    const [refused] = await Promise.allSettled([opening])
    expect([refused.status, here.asked.length]).toEqual(['rejected', 2])
    here.refuse(null)
    here.tellDevices('permission')
    await until(() => expect(here.devices.state.value).toBe('granted'))
  })

  test('but not after the screen was left', async () => {
    here.refuse('absent')
    await expect(here.devices.open()).rejects.toThrow()
    here.devices.close()
    here.refuse(null)
    here.tellDevices('devices')
    await settled()
    expect([here.tracks, here.subscriptions()]).toEqual([[], 0])
  })
})

describe('a chosen device', () => {
  test('is used at once, in a new stream, and the other track stays', async () => {
    await here.devices.open()
    const first = here.devices.stream.value
    here.devices.choose('camera', 'c2')
    await until(() => expect(here.using()).toEqual({ camera: 'c2', microphone: 'm1' }))
    expect(here.devices.stream.value).not.toBe(first)
    expect(here.tracks.map(({ device, live }) => [device, live])).toEqual([
      ['c1', false],
      ['m1', true],
      ['c2', true],
    ])
  })

  test('is used at the next visit too', async () => {
    await here.devices.open()
    here.devices.choose('camera', 'c2')
    here.devices.choose('microphone', 'm2')
    here.devices.choose('speaker', 's2')
    const next = visit(here.kept)
    await next.devices.open()
    await until(() => expect(next.devices.chosen.value).toEqual({ camera: 'c2', microphone: 'm2', speaker: 's2' }))
    expect(next.using()).toEqual({ camera: 'c2', microphone: 'm2' })
    expect(next.asked).toHaveLength(1)
  })

  test('that is not read in time keeps no user without a camera', async () => {
    here.storage.get = () => new Promise(() => {})
    const opened = here.devices.open()
    await settled()
    here.clock.advance(2_000)
    await opened
    expect(here.using()).toEqual({ camera: 'c1', microphone: 'm1' })
  })

  test('is found by its label if the browser gives it another id', async () => {
    await here.devices.open()
    await until(() => expect(here.devices.available.value).toHaveLength(6))
    here.devices.choose('microphone', 'm2')
    const next = visit(here.kept)
    next.unplug('m2')
    next.plug({ ...device('m2'), id: 'new' })
    await next.devices.open()
    await until(() => expect(next.using().microphone).toBe('new'))
    expect(next.devices.chosen.value.microphone).toBe('new')
  })

  test('that is gone is replaced, and used again when it is back', async () => {
    await here.devices.open()
    here.devices.choose('microphone', 'm2')
    await until(() => expect(here.using().microphone).toBe('m2'))
    here.unplug('m2')
    await until(() => expect(here.using().microphone).toBe('m1'))
    await until(() => expect(here.devices.chosen.value.microphone).toBe(''))
    expect(here.devices.interruption.value).toBeNull()
    here.plug(device('m2'))
    await until(() => expect(here.using().microphone).toBe('m2'))
  })

  test('that does not open leaves the previous one in use, now and at the next visit', async () => {
    await here.devices.open()
    await until(() => expect(here.devices.available.value).toHaveLength(6))
    here.devices.choose('camera', 'c1')
    here.busy.add('c2')
    await settled()
    here.devices.choose('camera', 'c2')
    await until(() => expect(here.asked.map(({ camera }) => camera)).toEqual(['', 'c1', 'c2', 'c1']))
    await until(() => expect(here.devices.interruption.value).toBeNull())
    expect([here.using().camera, here.devices.chosen.value.camera]).toEqual(['c1', 'c1'])
    expect(here.kept.get('chosenCamera')).toContain('c1')
  })

  test('opens nothing if it is a speaker', async () => {
    await here.devices.open()
    await until(() => expect(here.devices.available.value).toHaveLength(6))
    here.devices.choose('speaker', 's2')
    expect(here.devices.chosen.value.speaker).toBe('s2')
    await settled()
    expect(here.asked).toHaveLength(1)
  })

  test('that does not open does not prevent the choice of a third', async () => {
    const third = { ...device('c2'), id: 'c3', label: 'Third' }
    here.plug(third)
    here.busy.add('c2')
    await here.devices.open()
    here.gate.hold()
    here.devices.choose('camera', 'c2')
    await here.gate.reached(1)
    here.devices.choose('camera', 'c3')
    here.gate.release()
    await until(() => expect(here.using().camera).toBe('c3'))
    await settled()
    expect([here.using().camera, here.devices.chosen.value.camera]).toEqual(['c3', 'c3'])
  })

  test('is replaced by a flip to the other camera, until the next visit', async () => {
    await here.devices.open()
    here.devices.choose('camera', 'c2')
    await until(() => expect(here.using().camera).toBe('c2'))
    here.devices.flip()
    await until(() => expect(here.asked.at(-1)).toMatchObject({ camera: '', facing: 'environment' }))
    here.devices.flip()
    await until(() => expect(here.asked.at(-1)).toMatchObject({ camera: '', facing: 'user' }))
    here.devices.close()
    await here.devices.open()
    expect(here.using().camera).toBe('c2')
  })

  test('is the last one when two choices are made at once', async () => {
    await here.devices.open()
    here.devices.choose('camera', 'c2')
    here.devices.choose('camera', 'c1')
    here.devices.choose('camera', 'c2')
    await settled()
    expect(here.using().camera).toBe('c2')
    expect(here.asked).toHaveLength(2)
  })

  test.each(['c2', '{', '{"id":2}', '[]', new Blob(['{"id":"c2","label":""}'])])(
    'is none if %j is stored in its place',
    async (value) => {
      const next = visit(new Map([['chosenCamera', value]]))
      await next.devices.open()
      expect(next.asked).toEqual([{ camera: '', microphone: '', facing: 'user' }])
    },
  )

  test('holds until the end of the visit if the browser stores nothing, which is logged', async () => {
    here.storage.set = () => Promise.reject(new Error('full'))
    await here.devices.open()
    here.devices.choose('camera', 'c2')
    await until(() => expect(here.using().camera).toBe('c2'))
    expect(here.log.errors).toEqual(['The chosen camera was not kept'])
  })
})

describe('a device that is switched off', () => {
  test('stays off with every later device, and is on again at the next visit', async () => {
    await here.devices.open()
    here.devices.toggleMicrophone()
    here.devices.toggleCamera()
    const isOn = () => here.isOn(here.devices.stream.value)
    expect(isOn()).toEqual({ audio: false, video: false })
    here.devices.choose('microphone', 'm2')
    await until(() => expect(here.using().microphone).toBe('m2'))
    expect(isOn()).toEqual({ audio: false, video: false })
    here.devices.toggleCamera()
    await until(() => expect(here.using().camera).toBe('c1'))
    expect(isOn()).toEqual({ audio: false, video: true })
    here.devices.close()
    await here.devices.open()
    expect(isOn()).toEqual({ audio: true, video: true })
  })

  test('is stopped if it is the camera, whose light goes off, and the microphone goes on', async () => {
    await here.devices.open()
    const [camera, microphone] = here.tracks
    here.devices.toggleCamera()
    await until(() => expect(camera?.live).toBe(false))
    expect(microphone?.live).toBe(true)
    expect(here.using()).toEqual({ camera: '', microphone: 'm1' })
    expect(here.live(here.devices.stream.value)).toEqual([true, true])
  })

  test('is not opened by another choice, another camera or a return to the page before it is switched on', async () => {
    await here.devices.open()
    here.devices.toggleCamera()
    here.devices.choose('camera', 'c2')
    here.unplug('c1')
    here.tellDevices('shown')
    here.clock.advance(2_000)
    await settled()
    expect([here.asked.length, here.using().camera]).toEqual([1, ''])
    await here.devices.openForMatch()
    here.devices.toggleCamera()
    await until(() => expect(here.using().camera).toBe('c2'))
  })

  test('and is lost meanwhile is told of once it is switched on', async () => {
    await here.devices.open()
    here.devices.toggleCamera()
    here.unplug('c1', 'c2')
    await settled()
    expect(here.devices.interruption.value).toBeNull()
    here.devices.toggleCamera()
    await until(() => expect(here.devices.interruption.value).toMatchObject({ kind: 'video', what: 'lost' }))
  })

  test('while it is opened again is stopped once it is open', async () => {
    await here.devices.open()
    here.devices.toggleCamera()
    await settled()
    here.gate.hold()
    here.devices.toggleCamera()
    await here.gate.reached(1)
    here.devices.toggleCamera()
    here.gate.release()
    await settled()
    expect(here.using().camera).toBe('')
    expect(here.tracks.filter(({ live }) => live)).toHaveLength(2)
    here.devices.toggleCamera()
    await until(() => expect(here.using().camera).toBe('c1'))
    expect(here.tracks.filter(({ live }) => live)).toHaveLength(2)
  })
})

describe('the picture', () => {
  test("is not the camera's while it is off, and until it has opened again", async () => {
    const has = () => here.devices.hasCameraPicture.value
    expect(has()).toBe(false)
    await here.devices.open()
    expect(has()).toBe(true)
    here.devices.toggleCamera()
    await settled()
    // Of the black picture's stream only the microphone is another.
    here.devices.choose('microphone', 'm2')
    await until(() => expect(here.using().microphone).toBe('m2'))
    here.gate.hold()
    here.devices.toggleCamera()
    await here.gate.reached(1)
    expect([here.devices.cameraOn.value, has()]).toEqual([true, false])
    here.gate.release()
    await until(() => expect(has()).toBe(true))
  })

  test("is not the camera's while the system pauses it, as in a phone call, and is while it pauses the microphone", async () => {
    await here.devices.open()
    here.happens('video', 'paused')
    expect(here.devices.hasCameraPicture.value).toBe(false)
    here.happens('video', 'resumed')
    here.happens('audio', 'paused')
    expect(here.devices.hasCameraPicture.value).toBe(true)
  })
})

describe('a device that is lost during use', () => {
  test('is replaced by another at once', async () => {
    await here.devices.open()
    here.unplug('c1')
    expect(here.devices.interruption.value).toEqual({ kind: 'video', what: 'lost', trouble: null })
    await until(() => expect(here.using().camera).toBe('c2'))
    expect(here.devices.interruption.value).toBeNull()
  })

  test('together with another, like a webcam with its microphone: both are replaced', async () => {
    await here.devices.open()
    here.unplug('c1', 'm1')
    await until(() => expect(here.using()).toEqual({ camera: 'c2', microphone: 'm2' }))
    await settled()
    expect(here.devices.interruption.value).toBeNull()
    expect(here.live(here.devices.stream.value)).toEqual([true, true])
  })

  test('while the other is being opened again is replaced too', async () => {
    await here.devices.open()
    here.gate.hold()
    here.devices.choose('camera', 'c2')
    await here.gate.reached(1)
    here.unplug('m1')
    here.gate.release()
    await until(() => expect(here.using()).toEqual({ camera: 'c2', microphone: 'm2' }))
    await settled()
    expect(here.live(here.devices.stream.value)).toEqual([true, true])
  })

  test('without another is shown as lost until one is connected', async () => {
    await here.devices.open()
    here.unplug('m1', 'm2')
    await until(() => {
      expect(here.devices.interruption.value).toEqual({ kind: 'audio', what: 'lost', trouble: 'absent' })
    })
    here.plug(device('m2'))
    await until(() => expect(here.devices.interruption.value).toBeNull())
    expect(here.using().microphone).toBe('m2')
  })

  test.each(['permission', 'shown'] as const)('is tried again after a change of %s', async (change) => {
    await here.devices.open()
    here.refuse('busy')
    here.happens('video', 'ended')
    await until(() => expect(here.devices.interruption.value).toMatchObject({ trouble: 'busy' }))
    here.refuse(null)
    here.tellDevices(change)
    await until(() => expect(here.devices.interruption.value).toBeNull())
  })

  test('must be back before the user is matched', async () => {
    const first = await here.devices.open()
    here.refuse('busy')
    here.happens('video', 'ended')
    await settled()
    await expect(here.devices.open()).rejects.toMatchObject({ code: 'camera-refused', details: { trouble: 'busy' } })
    here.refuse(null)
    const again = await here.devices.open()
    expect(again).not.toBe(first)
    expect(here.live(again)).toEqual([true, true])
  })
})

describe('a device that the system pauses', () => {
  test('is shown as paused, and its picture resumes by itself', async () => {
    await here.devices.open()
    here.happens('video', 'paused')
    expect(here.devices.interruption.value).toEqual({ kind: 'video', what: 'paused' })
    here.happens('audio', 'resumed')
    expect(here.devices.interruption.value).not.toBeNull()
    here.happens('video', 'resumed')
    expect(here.devices.interruption.value).toBeNull()
    await settled()
    expect(here.asked.filter(({ camera }) => camera !== '')).toEqual([])
  })

  test('is opened again for its sound, which may resume without a signal', async () => {
    await here.devices.open()
    here.happens('audio', 'paused')
    here.happens('audio', 'resumed')
    await until(() => expect(here.tracks.filter(({ kind }) => kind === 'audio')).toHaveLength(2))
    expect(here.live(here.devices.stream.value)).toEqual([true, true])
  })

  test('and never resumed is opened again shortly after the page is visible', async () => {
    await here.devices.open()
    here.happens('video', 'paused')
    here.tellDevices('shown')
    here.clock.advance(2_000)
    await until(() => expect(here.devices.interruption.value).toBeNull())
    expect(here.live(here.devices.stream.value)).toEqual([true, true])
  })

  test('and resumed within that time is left alone', async () => {
    await here.devices.open()
    here.happens('video', 'paused')
    here.tellDevices('shown')
    here.happens('video', 'resumed')
    here.clock.advance(2_000)
    await settled()
    expect(here.asked).toHaveLength(1)
  })
})

describe('the level of the microphone', () => {
  test('is measured between start and stop, for every microphone in use', async () => {
    const stop = here.devices.measureLevel()
    expect(here.machine.isMeasured()).toBe(false)
    await here.devices.open()
    here.reportLevel(0.5)
    expect(here.devices.level.value).toBe(0.5)
    here.devices.choose('microphone', 'm2')
    await until(() => expect(here.devices.level.value).toBe(0))
    here.reportLevel(0.25)
    expect(here.devices.level.value).toBe(0.25)
    stop()
    expect(here.machine.isMeasured()).toBe(false)
  })
})

describe('no camera stays on', () => {
  test('with a device that opens after the screen was left', async () => {
    here.gate.hold()
    const opening = here.devices.open()
    await here.gate.reached(1)
    here.devices.close()
    here.gate.release()
    await expect(opening).rejects.toMatchObject({ code: 'aborted' })
    expect(here.devices.state.value).toBe('unknown')
    expect(here.tracks.filter(({ live }) => live)).toEqual([])
  })

  test('when the screen is left and entered while a device is opened again', async () => {
    await here.devices.open()
    here.gate.hold()
    here.devices.choose('camera', 'c2')
    await here.gate.reached(1)
    here.devices.close()
    const again = here.devices.open()
    await here.gate.reached(2)
    here.gate.release()
    const stream = await again
    await settled()
    expect(here.devices.stream.value).toBe(stream)
    expect(here.live(stream)).toEqual([true, true])
    expect(here.tracks.filter(({ live }) => live)).toHaveLength(2)
  })

  test('and no listener remains, for any earlier events', async () => {
    const deed = fc.constantFrom<(all: ReturnType<typeof visit>) => unknown>(
      ({ devices }) => devices.open().catch(() => {}),
      ({ devices }) => devices.close(),
      ({ devices }) => devices.flip(),
      ({ devices }) => devices.choose('camera', 'c2'),
      ({ devices }) => devices.choose('microphone', 'm2'),
      ({ devices }) => devices.toggleCamera(),
      (all) => all.unplug('c1', 'm1'),
      (all) => all.unplug('c2'),
      (all) => all.plug(device('c1')),
      (all) => all.happens('video', 'ended'),
      (all) => all.happens('audio', 'paused'),
      (all) => all.happens('audio', 'resumed'),
      (all) => all.tellDevices('shown'),
      (all) => all.refuse('busy'),
      (all) => all.refuse(null),
      (all) => all.clock.advance(2_000),
      () => settled(),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(deed, { maxLength: 25, size: 'max' }), async (deeds) => {
        const all = visit()
        for (const each of deeds) {
          each(all)
          await Promise.resolve()
        }
        await settled()
        const { stream } = all.devices
        expect(all.tracks.filter(({ live }) => live).length).toBeLessThanOrEqual(stream.value ? 2 : 0)
        all.devices.close()
        await settled()
        expect(all.tracks.filter(({ live }) => live)).toEqual([])
        expect([all.subscriptions(), all.clock.waiting()]).toEqual([0, 0])
      }),
      { numRuns: 150 },
    )
  })
})
