import sharp, { type Sharp } from 'sharp'
import type { Dice } from '../../support/dice.ts'
import { HEIGHT, QUICK, WIDTH } from './scenes.ts'

/** What a call does to a picture on its way: each takes the sender's picture and returns what the receiver's browser shows. */

const BLOCK = 16

async function raw(picture: Sharp): Promise<Buffer> {
  return picture.removeAlpha().raw().toBuffer()
}

function png(data: Buffer): Promise<Buffer> {
  return sharp(data, { raw: { width: WIDTH, height: HEIGHT, channels: 3 } })
    .png(QUICK)
    .toBuffer()
}

/** A sender that scales down to fit a narrow link; the browser shows it at its full size. */
export async function scaled(picture: Buffer, width: number): Promise<Buffer> {
  const small = await sharp(picture).resize(width).png(QUICK).toBuffer()
  return sharp(small).resize(WIDTH, HEIGHT, { fit: 'fill' }).png(QUICK).toBuffer()
}

/** The blocks and the loss of detail of a low bitrate. */
export function squeezed(picture: Buffer, quality: number): Promise<Buffer> {
  return sharp(picture).jpeg({ quality, chromaSubsampling: '4:2:0' }).toBuffer()
}

export function blurred(picture: Buffer, sigma: number): Promise<Buffer> {
  return sharp(picture).blur(sigma).png(QUICK).toBuffer()
}

/** Another range of colours, as decoders disagree about it, and a warmer light. */
export function recoloured(picture: Buffer, dice: Dice): Promise<Buffer> {
  const [red = 1, green = 1, blue = 1] = Array.from({ length: 3 }, () => 0.85 + dice.next() * 0.3)
  return sharp(picture).removeAlpha().linear([red, green, blue], [8, 8, 8]).png(QUICK).toBuffer()
}

/** A layout that cuts up to `most` of each side. */
export async function cropped(picture: Buffer, most: number, dice: Dice): Promise<Buffer> {
  const [left, top, right, bottom] = Array.from({ length: 4 }, () => dice.next() * most) as [
    number,
    number,
    number,
    number,
  ]
  const area = {
    left: Math.round(left * WIDTH),
    top: Math.round(top * HEIGHT),
    width: Math.round((1 - left - right) * WIDTH),
    height: Math.round((1 - top - bottom) * HEIGHT),
  }
  return sharp(picture).extract(area).resize(WIDTH, HEIGHT, { fit: 'fill' }).png(QUICK).toBuffer()
}

/**
 * Lost packets: in a tenth of the rows of blocks a run of blocks shows an earlier picture, is moved, or is grey, and what follows in the
 * row is smeared.
 */
export async function torn(picture: Buffer, earlier: Buffer, share: number, dice: Dice): Promise<Buffer> {
  const [now, before] = await Promise.all([raw(sharp(picture)), raw(sharp(earlier))])
  const out = Buffer.from(now)
  const [columns, rows] = [WIDTH / BLOCK, HEIGHT / BLOCK]
  for (let row = 0; row < rows; row += 1) {
    if (!dice.chance(share * 3)) continue
    const [start, length, kind] = [dice.below(columns), 4 + dice.below(columns), dice.below(3)]
    const [shiftX, shiftY] = [dice.below(48) - 24, dice.below(48) - 24]
    for (let column = start; column < Math.min(columns, start + length); column += 1)
      for (let y = row * BLOCK; y < (row + 1) * BLOCK; y += 1)
        for (let x = column * BLOCK; x < (column + 1) * BLOCK; x += 1)
          for (let channel = 0; channel < 3; channel += 1) {
            const at = (fromX: number, fromY: number) =>
              (Math.min(HEIGHT - 1, Math.max(0, fromY)) * WIDTH + Math.min(WIDTH - 1, Math.max(0, fromX))) * 3 + channel
            const value = kind === 0 ? before[at(x, y)] : kind === 1 ? now[at(x + shiftX, y + shiftY)] : 128
            out[at(x, y)] = value ?? 0
          }
  }
  return png(out)
}
