import { existsSync, renameSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createDice } from '../support/dice.ts'

const WIDTH = 160
const HEIGHT = 120
const FRAME_RATE = 5
/** Longer than a test takes: Chromium repeats the file, and the product notices a picture that repeats itself. */
const FRAMES = 90 * FRAME_RATE

/**
 * Returns the argument for a fake camera with small pictures, which takes a sixth less processor time than Chromium's own of 1280x720:
 * a bright shape that moves over a wall, with noise. The file is written once per folder of temporary files.
 */
export function smallCamera(): string {
  const file = join(tmpdir(), `camera-${WIDTH}x${HEIGHT}-${FRAMES}.y4m`)
  if (!existsSync(file)) {
    // A process that ends while it writes leaves no half a file under this name.
    const part = `${file}.${process.pid}`
    writeFileSync(part, video())
    renameSync(part, file)
  }
  return `--use-file-for-fake-video-capture=${file}`
}

function video(): Buffer {
  const dice = createDice(1)
  const noise = Uint8Array.from({ length: 65_536 }, () => dice.below(7))
  const parts = [Buffer.from(`YUV4MPEG2 W${WIDTH} H${HEIGHT} F${FRAME_RATE}:1 Ip A1:1 C420jpeg\n`)]
  for (let frame = 0; frame < FRAMES; frame += 1) {
    const pixels = Buffer.alloc((WIDTH * HEIGHT * 3) / 2, 128)
    const start = dice.below(noise.length)
    const [middleX, middleY] = [80 + 30 * Math.sin(frame / 7), 60 + 10 * Math.cos(frame / 5)]
    for (let y = 0; y < HEIGHT; y += 1) {
      for (let x = 0; x < WIDTH; x += 1) {
        const isShape = ((x - middleX) / 30) ** 2 + ((y - middleY) / 40) ** 2 < 1
        const place = y * WIDTH + x
        pixels[place] = (isShape ? 190 : 80 + (x >> 2)) + (noise[(start + place) & 65_535] ?? 0)
      }
    }
    parts.push(Buffer.from('FRAME\n'), pixels)
  }
  return Buffer.concat(parts)
}
