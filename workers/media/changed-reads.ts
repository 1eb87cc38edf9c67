const SIDE = 16
const COLOUR = [200, 30, 60, 255]
/** Some browsers change the lowest bits of a few pixels, which nobody sees. */
const SEEN = 16

let isChanged: boolean | undefined

/**
 * True where the browser replaces what a page reads from a canvas by noise, against fingerprinting, as Firefox with
 * `privacy.resistFingerprinting` does. Compared once: a change of the setting needs a reload.
 */
export function areReadsChanged(): boolean {
  isChanged ??= differs()
  return isChanged
}

function differs(): boolean {
  const context = new OffscreenCanvas(SIDE, SIDE).getContext('2d', { willReadFrequently: true })
  if (!context) return false
  context.fillStyle = `rgb(${COLOUR.slice(0, 3).join(' ')})`
  context.fillRect(0, 0, SIDE, SIDE)
  const { data } = context.getImageData(0, 0, SIDE, SIDE)
  return data.some((value, index) => Math.abs(value - (COLOUR[index % 4] ?? 0)) > SEEN)
}
