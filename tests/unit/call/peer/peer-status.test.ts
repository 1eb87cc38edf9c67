import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parsePeerStatus } from '#protocol/peer.ts'
import { sized } from '../../../../scripts/test-limits.ts'
import { governorStart } from '../../../../src/call/rules/governor.ts'
import { limitsOf } from '../../../../src/call/rules/send-ladder.ts'
import { sampleAt } from '../../../support/call/call-sample.ts'

const accepts = { picture: true, maxKbps: 2_500, maxFrameRate: 30, shortSide: 720, soundKbps: 32 }
const status = { noPicture: null, stills: false, accepts }

test('a status of a newer client is read without the fields that are not known', () => {
  const newer = { ...status, mood: 'fine', accepts: { ...accepts, depth: 10 } }
  expect(parsePeerStatus(JSON.stringify(newer))).toEqual(status)
})

test('a status of an earlier client, which says nothing of stills, is one of a moving picture', () => {
  expect(parsePeerStatus(JSON.stringify({ noPicture: null, accepts }))).toEqual(status)
})

test('a status says whether the camera is off, or nothing of it, and an odd word for it counts as no', () => {
  expect(parsePeerStatus(JSON.stringify(status))).not.toHaveProperty('cameraOff')
  expect(parsePeerStatus(JSON.stringify({ ...status, cameraOff: true }))).toEqual({ ...status, cameraOff: true })
  expect(parsePeerStatus(JSON.stringify({ ...status, cameraOff: 'perhaps' }))).toEqual({ ...status, cameraOff: false })
})

test.each([
  ['no JSON', '{'],
  ['bytes', new ArrayBuffer(8)],
  ['a list', '[]'],
  ['a reason that is not known', JSON.stringify({ ...status, noPicture: 'mood' })],
  ['no limits', JSON.stringify({ noPicture: null })],
  ['no bit rate', JSON.stringify({ ...status, accepts: { ...accepts, maxKbps: 0 } })],
  ['a bit rate that is no number', JSON.stringify({ ...status, accepts: { ...accepts, maxKbps: '2500' } })],
  ['a picture that is neither wanted nor not', JSON.stringify({ ...status, accepts: { ...accepts, picture: 'no' } })],
  ['a picture of one line', JSON.stringify({ ...status, accepts: { ...accepts, shortSide: 1 } })],
  ['less than a frame a second', JSON.stringify({ ...status, accepts: { ...accepts, maxFrameRate: 0.1 } })],
  ['too much', JSON.stringify({ ...status, more: 'x'.repeat(1_000) })],
])('a status with %s is refused', (_, message) => {
  expect(() => parsePeerStatus(message)).toThrow()
})

test('any message is a status or is refused', () => {
  fc.assert(
    fc.property(fc.oneof(fc.json(), fc.string(), fc.anything()), (message) => {
      try {
        const { noPicture, accepts: limits } = parsePeerStatus(message)
        expect([null, 'network', 'choice', 'peer']).toContain(noPicture)
        expect(limits.maxKbps).toBeGreaterThanOrEqual(20)
      } catch (thrown) {
        expect(thrown).toBeInstanceOf(Error)
      }
    }),
  )
})

const numbers = ['maxKbps', 'maxFrameRate', 'shortSide', 'soundKbps'] as const
const withNumber = (name: string, text: string) =>
  JSON.stringify({ ...status, accepts: { ...accepts, [name]: 'here' } }).replace('"here"', text)

test.each(
  numbers.flatMap((name) => ['-1', '-0', '1e9', '1e400', '-1e400', 'null', '1e-9'].map((text) => [name, text])),
)('a status whose %s is %s is refused', (name, text) => {
  expect(() => parsePeerStatus(withNumber(name, text))).toThrow()
})

test('NaN and infinity are no JSON', () => {
  for (const text of ['NaN', 'Infinity', '-Infinity'])
    expect(() => parsePeerStatus(withNumber('maxKbps', text))).toThrow()
})

test('a status of any depth and length is refused without much work: its length comes first', () => {
  for (const message of ['['.repeat(1_000_000), `{"accepts":${'{"a":'.repeat(100_000)}`, '9'.repeat(1_000_000)])
    expect(() => parsePeerStatus(message)).toThrow(/length/i)
})

test('whatever numbers a hostile peer accepts, what is sent has a size, a rate and a sound', () => {
  // Mostly numbers near the limits: of all doubles, hardly any status would be accepted.
  const absurd = fc.oneof(
    { arbitrary: fc.double(), weight: 1 },
    { arbitrary: fc.constantFrom(Number.MAX_VALUE, Number.MIN_VALUE, 6, 20, 510, 4_320, 100_000), weight: 1 },
    { arbitrary: fc.double({ min: 90, max: 120, noNaN: true }), weight: 8 },
  )
  const anyStatus = fc.record({
    noPicture: fc.constantFrom(null, 'network', 'choice', 'peer'),
    accepts: fc.record({
      picture: fc.boolean(),
      maxKbps: absurd,
      maxFrameRate: absurd,
      shortSide: absurd,
      soundKbps: absurd,
    }),
  })
  const state = { ...governorStart, last: sampleAt(0) }
  let taken = 0
  fc.assert(
    fc.property(anyStatus, (given) => {
      let heard: ReturnType<typeof parsePeerStatus>
      try {
        heard = parsePeerStatus(JSON.stringify(given))
      } catch {
        return
      }
      taken += 1
      const limits = limitsOf(state, 'best', false, heard.accepts)
      const free = limitsOf(state, 'best', false, null)
      for (const name of ['maxKbps', 'maxFrameRate', 'soundKbps'] as const) {
        expect(limits[name]).toBeGreaterThanOrEqual(1)
        expect(limits[name]).toBeLessThanOrEqual(free[name])
      }
      expect(limits.scaleDownBy).toBeGreaterThanOrEqual(1)
      expect(limits.scaleDownBy).toBeLessThanOrEqual(720 / 90)
    }),
    { numRuns: sized(400, 2_000) },
  )
  expect(taken).toBeGreaterThan(100)
})
