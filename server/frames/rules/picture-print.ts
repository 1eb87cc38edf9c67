/** A few words about a picture that tell it from another without keeping it. */

const COLUMNS = 9
const ROWS = 8
/** Pixels a side of the smallest square that has as many for each place. */
export const PRINT_SIDE = COLUMNS * ROWS
/** Of 255. A camera that is off sends 0, and a dark room is brighter than this somewhere. */
const BLACK = 8

/** `print` has a bit for each of 64 places: whether it is darker than its right neighbour. */
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

/** Of a square picture with red, green and blue of each pixel: its difference hash, and whether it is black all over. */
export function printOf(pixels: Uint8Array, side: number): PicturePrint {
  const places = brightness(pixels, side)
  let print = 0n
  for (const row of places)
    for (let column = 0; column + 1 < COLUMNS; column += 1)
      print = (print << 1n) | ((row[column] ?? 0) < (row[column + 1] ?? 0) ? 1n : 0n)
  return { print, black: places.every((row) => row.every((place) => place < BLACK)) }
}

/** In how many of the 64 places two pictures differ. */
export function differenceOf(one: bigint, other: bigint): number {
  let differing = one ^ other
  let count = 0
  for (; differing > 0n; differing &= differing - 1n) count += 1
  return count
}
