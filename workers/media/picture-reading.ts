/** Side of a reading, in cells. A cell is one sample of the picture; a mean would hide the noise of a camera. */
export const READING_SIDE = 56
/** Side of a reading, in blocks. A block is the mean of four by four cells, in which noise of camera and codec is small. */
const BLOCKS = 14
const BLOCK = READING_SIDE / BLOCKS
/** Luminance of a block is counted in sixteenths of a level: it is the sum of its cells. */
const SIXTEENTHS = BLOCK * BLOCK

/** Luminance of each cell of a picture, from 0 to 255, and of its blocks. It stays in the worker that read it. */
export type PictureReading = { cells: Uint8Array; blocks: Uint16Array; total: number }

/** Returns the reading of a square picture of `side` pixels, RGBA, a multiple of READING_SIDE. */
export function readingOf(pixels: Uint8ClampedArray, side: number): PictureReading {
  const step = side / READING_SIDE
  const cells = new Uint8Array(READING_SIDE * READING_SIDE)
  const blocks = new Uint16Array(BLOCKS * BLOCKS)
  for (let y = 0; y < READING_SIDE; y += 1) {
    for (let x = 0; x < READING_SIDE; x += 1) {
      const at = (y * side + x) * step * 4
      // The weights of BT.601 in parts of 256.
      const luminance = (77 * (pixels[at] ?? 0) + 150 * (pixels[at + 1] ?? 0) + 29 * (pixels[at + 2] ?? 0)) >> 8
      cells[y * READING_SIDE + x] = luminance
      const block = Math.floor(y / BLOCK) * BLOCKS + Math.floor(x / BLOCK)
      blocks[block] = (blocks[block] ?? 0) + luminance
    }
  }
  return { cells, blocks, total: blocks.reduce((sum, block) => sum + block, 0) }
}

/** Returns the number of cells that differ by at least `levels` of luminance. */
export function changedCells(one: PictureReading, other: PictureReading, levels: number): number {
  let changed = 0
  for (let at = 0; at < one.cells.length; at += 1)
    if (Math.abs((one.cells[at] ?? 0) - (other.cells[at] ?? 0)) >= levels) changed += 1
  return changed
}

/**
 * Returns the mean difference of the blocks, in levels of luminance. The brightness of the whole picture does not count: a lamp may
 * flicker.
 */
export function distanceOf(one: PictureReading, other: PictureReading): number {
  const light = one.total / Math.max(1, other.total)
  let sum = 0
  for (let at = 0; at < one.blocks.length; at += 1)
    sum += Math.abs((one.blocks[at] ?? 0) - (other.blocks[at] ?? 0) * light)
  return sum / one.blocks.length / SIXTEENTHS
}

/** Returns the luminance of nearly the darkest and nearly the brightest block, which a single bright or dark spot does not change. */
export function rangeOf({ blocks }: PictureReading): { low: number; high: number } {
  const sorted = Array.from(blocks).sort((one, other) => one - other)
  const spots = Math.floor(sorted.length * SPOTS)
  return { low: (sorted[spots] ?? 0) / SIXTEENTHS, high: (sorted[sorted.length - 1 - spots] ?? 0) / SIXTEENTHS }
}
/** Share of the blocks that may be spots. */
const SPOTS = 0.03
