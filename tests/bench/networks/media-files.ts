import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createDice } from '../../support/dice.ts'

const WIDTH = 640
const HEIGHT = 480
const FRAME_RATE = 30
const FRAMES = 120
const SOUND_RATE = 48_000
const SOUND_SECONDS = 12
const WAV_HEADER_BYTES = 44

/**
 * Writes a video and a sound for Chromium's fake devices and returns the arguments that name them. Chromium's own test picture
 * compresses to nothing. This one has a patterned wall, a face that moves, and the noise of a camera; the sound has the rhythm
 * and the pauses of speech.
 */
export function makeMedia(folder: string): string[] {
  const picture = join(folder, 'camera.y4m')
  const sound = join(folder, 'microphone.wav')
  writeFileSync(picture, video())
  writeFileSync(sound, speech())
  return [`--use-file-for-fake-video-capture=${picture}`, `--use-file-for-fake-audio-capture=${sound}`]
}

function video(): Buffer {
  const parts: Buffer[] = [Buffer.from(`YUV4MPEG2 W${WIDTH} H${HEIGHT} F${FRAME_RATE}:1 Ip A1:1 C420jpeg\n`)]
  const dice = createDice(1)
  const noise = Int8Array.from({ length: 65_536 }, () => dice.below(7) - 3)
  for (let frame = 0; frame < FRAMES; frame += 1) {
    parts.push(Buffer.from('FRAME\n'), picture(frame, noise, dice.below(noise.length)))
  }
  return Buffer.concat(parts)
}

function picture(frame: number, noise: Int8Array, start: number): Buffer {
  const pixels = Buffer.alloc((WIDTH * HEIGHT * 3) / 2, 128)
  // The movement ends where it began, since the file is repeated.
  const turn = (frame / FRAMES) * 2 * Math.PI
  const [x0, y0] = [WIDTH / 2 + 60 * Math.sin(turn), HEIGHT / 2 + 20 * Math.sin(2 * turn)]
  const mouth = 8 + 6 * Math.sin(turn * 12)
  for (let y = 0; y < HEIGHT; y += 1) {
    for (let x = 0; x < WIDTH; x += 1) {
      const [dx, dy] = [x - x0, y - y0]
      const isFace = (dx / 110) ** 2 + (dy / 150) ** 2 < 1
      const bright = isFace ? face(dx, dy, mouth) : 90 + 50 * Math.sin(x / 23) * Math.sin(y / 31) + ((x ^ y) & 15)
      pixels[y * WIDTH + x] = bright + (noise[(start + y * 509 + x * 3) & 65_535] ?? 0)
    }
  }
  return pixels
}

/** Brightness of the face at a distance from its middle. */
function face(dx: number, dy: number, mouth: number): number {
  const isEye = Math.abs(Math.abs(dx) - 40) < 14 && Math.abs(dy + 40) < 8
  const isMouth = Math.abs(dx) < 40 && Math.abs(dy - 70) < mouth
  return isEye || isMouth ? 40 : 170 + 25 * Math.sin(dx / 17) + 15 * Math.cos(dy / 13)
}

function speech(): Buffer {
  const samples = SOUND_RATE * SOUND_SECONDS
  const bytes = Buffer.alloc(WAV_HEADER_BYTES + samples * 2)
  bytes.write('RIFF', 0)
  bytes.writeUInt32LE(bytes.length - 8, 4)
  bytes.write('WAVEfmt ', 8)
  bytes.writeUInt32LE(16, 16)
  bytes.writeUInt16LE(1, 20)
  bytes.writeUInt16LE(1, 22)
  bytes.writeUInt32LE(SOUND_RATE, 24)
  bytes.writeUInt32LE(SOUND_RATE * 2, 28)
  bytes.writeUInt16LE(2, 32)
  bytes.writeUInt16LE(16, 34)
  bytes.write('data', 36)
  bytes.writeUInt32LE(samples * 2, 40)
  for (let index = 0; index < samples; index += 1) {
    const at = index / SOUND_RATE
    // Syllables four times a second, and a pause of one second in each four.
    const loudness = at % 4 < 3 ? Math.max(0, Math.sin(at * 4 * 2 * Math.PI)) : 0
    const pitch = 140 + 30 * Math.sin(at * 1.7)
    let value = 0
    for (let harmonic = 1; harmonic <= 12; harmonic += 1)
      value += Math.sin(at * pitch * harmonic * 2 * Math.PI) / harmonic
    bytes.writeInt16LE(Math.round(value * loudness * 6_000), WAV_HEADER_BYTES + index * 2)
  }
  return bytes
}
