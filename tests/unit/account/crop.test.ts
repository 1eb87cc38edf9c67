import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type CropView, cropOf, moved, wholeView, ZOOM_MAX, zoomed } from '../../../src/account/rules/crop.ts'

const wide = { width: 400, height: 200 }

test('the whole view keeps the largest square in the middle', () => {
  expect(cropOf(wide, wholeView)).toEqual({ x: 100, y: 0, side: 200 })
  expect(cropOf({ width: 200, height: 400 }, wholeView)).toEqual({ x: 0, y: 100, side: 200 })
})

test('zooming keeps the centre, and drawing back moves the square into the picture', () => {
  const near = zoomed(wide, wholeView, 2)
  expect(cropOf(wide, near)).toEqual({ x: 150, y: 50, side: 100 })
  const corner = moved(wide, near, 9, 9)
  expect(cropOf(wide, corner)).toEqual({ x: 0, y: 0, side: 100 })
  expect(cropOf(wide, zoomed(wide, corner, 1))).toEqual({ x: 0, y: 0, side: 200 })
})

test('the picture follows the movement', () => {
  const near = zoomed(wide, wholeView, 2)
  expect(cropOf(wide, moved(wide, near, 0.5, -0.25))).toEqual({ x: 100, y: 75, side: 100 })
})

test('whatever is moved and zoomed, the square stays inside the picture', () => {
  const length = fc.integer({ min: 1, max: 9_000 })
  const number = fc.double({ min: -20, max: 20, noNaN: true })
  const step = fc.tuple(number, number, number)
  fc.assert(
    fc.property(length, length, fc.array(step, { maxLength: 20 }), (width, height, steps) => {
      const size = { width, height }
      let view: CropView = wholeView
      for (const [byX, byY, zoom] of steps) view = zoomed(size, moved(size, view, byX, byY), zoom)
      const { x, y, side } = cropOf(size, view)
      const slack = 1e-6 * Math.max(width, height)
      expect(side).toBeGreaterThanOrEqual(Math.min(width, height) / ZOOM_MAX - slack)
      expect(Math.min(x, y)).toBeGreaterThanOrEqual(-slack)
      expect(x + side).toBeLessThanOrEqual(width + slack)
      expect(y + side).toBeLessThanOrEqual(height + slack)
    }),
  )
})
