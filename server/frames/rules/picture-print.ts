/** Difference hashes, by which pictures are compared without being kept. */

const COLUMNS = 9
const ROWS = 8
/** Side, in pixels, of the smallest square whose cells all have the same number of pixels. */
export const PRINT_SIDE = COLUMNS * ROWS
/** Brightness, of 255, below which a cell counts as black: a camera that is off sends 0, and a dark room has a brighter cell. */
const BLACK = 8

/** `print` has a bit for each of 64 cells: 1 if the cell is darker than its right neighbour. */
export type PicturePrint = { print: bigint; black: boolean }

function brightness(pixels: Uint8Array, side: number): number[][] {
  const cell = (index: number, cells: number) => Math.floor((index * side) / cells)
  return Array.from({ length: ROWS }, (_row, row) =>
    Array.from({ length: COLUMNS }, (_column, column) => {
      let sum = 0
      let count = 0
      for (let y = cell(row, ROWS); y < cell(row + 1, ROWS); y += 1)
        for (let x = cell(column, COLUMNS); x < cell(column + 1, COLUMNS); x += 1) {
          const at = (y * side + x) * 3
          sum += 0.299 * (pixels[at] ?? 0) + 0.587 * (pixels[at + 1] ?? 0) + 0.114 * (pixels[at + 2] ?? 0)
          count += 1
        }
      return sum / count
    }),
  )
}

/** Returns the difference hash of a square picture (red, green and blue of each pixel) and whether every cell is black. */
export function printOf(pixels: Uint8Array, side: number): PicturePrint {
  const cells = brightness(pixels, side)
  let print = 0n
  for (const row of cells)
    for (let column = 0; column + 1 < COLUMNS; column += 1)
      print = (print << 1n) | ((row[column] ?? 0) < (row[column + 1] ?? 0) ? 1n : 0n)
  return { print, black: cells.every((row) => row.every((cell) => cell < BLACK)) }
}

/** Returns the number of the 64 cells in which two hashes differ. */
export function differenceOf(one: bigint, other: bigint): number {
  let differing = one ^ other
  let count = 0
  for (; differing > 0n; differing &= differing - 1n) count += 1
  return count
}
