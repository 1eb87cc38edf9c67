import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Constraints, constraintsFor, relaxed } from '../../../src/devices/io/media-request.ts'
import { mediaSettings } from '../../../src/devices/rules/quality-tier.ts'

const high = mediaSettings('high', false)
const anyDevice = { camera: '', microphone: '', facing: 'user' } as const
const chosen = { camera: 'c2', microphone: 'm2', facing: 'user' } as const
const both = new Set(['c2', 'm2'])
const overconstrained = (constraint: string) => ({ name: 'OverconstrainedError', constraint })

describe('the constraints', () => {
  test('without a choice select the camera that faces the user', () => {
    expect(constraintsFor(high, anyDevice)).toEqual({ video: { ...high.video, facingMode: 'user' }, audio: high.audio })
  })

  test('select a chosen device exactly', () => {
    expect(constraintsFor(high, chosen)).toEqual({
      video: { ...high.video, deviceId: { exact: 'c2' } },
      audio: { ...high.audio, deviceId: { exact: 'm2' } },
    })
  })
})

describe('the constraints after a rejection', () => {
  test.each(['width', 'height', 'frameRate'] as const)('of %s have no minimum of it any more', (size) => {
    const { min: _, ...rest } = high.video[size]
    const constraints = constraintsFor(high, chosen)
    expect(relaxed(constraints, overconstrained(size), both)).toEqual({
      ...constraints,
      video: { ...constraints.video, [size]: rest },
    })
  })

  test('of a size that has no minimum any more are the ideals only', () => {
    const once = relaxed(constraintsFor(high, chosen), overconstrained('width'), both)
    expect(once && relaxed(once, overconstrained('width'), both)?.video).toEqual({
      deviceId: { exact: 'c2' },
      width: { ideal: 1280 },
      height: { ideal: 720 },
      frameRate: { ideal: 30 },
    })
  })

  describe.each([overconstrained('deviceId'), { name: 'NotFoundError' }])(
    'of a device that is gone (%j)',
    (refusal) => {
      test.each([
        ['the camera', ['m2'], { ideal: 'c2' }, { exact: 'm2' }],
        ['the microphone', ['c2'], { exact: 'c2' }, { ideal: 'm2' }],
        ['both', [], { ideal: 'c2' }, { ideal: 'm2' }],
        ['unknown which', ['c2', 'm2'], { ideal: 'c2' }, { ideal: 'm2' }],
      ])('allow another: %s', (_which, present, video, audio) => {
        const left = relaxed(constraintsFor(high, chosen), refusal, new Set(present))
        expect(left).toMatchObject({ video: { deviceId: video }, audio: { deviceId: audio } })
      })
    },
  )

  test('without a named size, with only the device left, allow another device', () => {
    const constraints = { video: false, audio: constraintsFor(high, chosen).audio } as const
    expect(relaxed(constraints, overconstrained(''), both)?.audio).toMatchObject({ deviceId: { ideal: 'm2' } })
  })

  test.each([new Error('No'), { name: 'NotAllowedError' }, { name: 'NotReadableError' }, 'no', undefined])(
    'that no condition caused (%j) are null',
    (refusal) => {
      expect(relaxed(constraintsFor(high, chosen), refusal, both)).toBeNull()
    },
  )

  test('run out, for any names of the browser', () => {
    const refusal = fc.oneof(
      fc.constantFrom('width', 'height', 'frameRate', 'deviceId', 'facingMode', 'sampleRate', '').map(overconstrained),
      fc.constant({ name: 'OverconstrainedError' }),
      fc.constant({ name: 'NotFoundError' }),
    )
    const present = fc.subarray([...both]).map((ids) => new Set(ids))
    const asked = fc.constantFrom<Constraints>(
      constraintsFor(high, chosen),
      constraintsFor(high, anyDevice),
      { video: false, audio: constraintsFor(high, chosen).audio },
      { video: constraintsFor(high, chosen).video, audio: false },
    )
    fc.assert(
      fc.property(asked, present, fc.array(refusal, { minLength: 8, maxLength: 8 }), (constraints, there, refusals) => {
        const left = refusals.reduce<Constraints | null>(
          (before, each) => before && relaxed(before, each, there),
          constraints,
        )
        expect(left).toBeNull()
      }),
    )
  })
})
