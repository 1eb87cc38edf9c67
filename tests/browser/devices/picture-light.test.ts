import { expect, onTestFinished, test } from 'vitest'
import { watchLight } from '../../../src/devices/io/device-check.ts'

test('a black picture is dark until there is light', async () => {
  const canvas = Object.assign(document.createElement('canvas'), { width: 64, height: 64 })
  const context = canvas.getContext('2d')
  let colour = '#0a0a0a'
  const painting = setInterval(() => {
    if (!context) return
    context.fillStyle = colour
    context.fillRect(0, 0, 64, 64)
  }, 30)
  const told: boolean[] = []
  const stop = watchLight(canvas.captureStream(30), (isDark) => told.push(isDark))
  onTestFinished(() => {
    clearInterval(painting)
    stop()
  })
  await expect.poll(() => told).toEqual([true])
  colour = '#606060'
  await expect.poll(() => told).toEqual([true, false])
})
