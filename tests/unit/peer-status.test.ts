import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parsePeerStatus } from '#protocol/peer.ts'

const accepts = { picture: true, maxKbps: 2_500, maxFrameRate: 30, shortSide: 720, soundKbps: 32 }
const status = { noPicture: null, stills: false, accepts }

test('a status of a newer client is read without the fields that are not known', () => {
  const newer = { ...status, mood: 'fine', accepts: { ...accepts, depth: 10 } }
  expect(parsePeerStatus(JSON.stringify(newer))).toEqual(status)
})

test('a status of an earlier client, which says nothing of stills, is one of a moving picture', () => {
  expect(parsePeerStatus(JSON.stringify({ noPicture: null, accepts }))).toEqual(status)
})

test.each([
  ['no JSON', '{'],
  ['bytes', new ArrayBuffer(8)],
  ['a list', '[]'],
  ['a reason that is not known', JSON.stringify({ ...status, noPicture: 'mood' })],
  ['no limits', JSON.stringify({ noPicture: null })],
  ['no bit rate', JSON.stringify({ ...status, accepts: { ...accepts, maxKbps: 0 } })],
  ['a bit rate that is no number', JSON.stringify({ ...status, accepts: { ...accepts, maxKbps: '2500' } })],
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
