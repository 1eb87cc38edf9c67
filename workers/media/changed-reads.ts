const SIDE = 16
const COLOUR = [200, 30, 60, 255]
/** Least difference that counts: some browsers change the lowest bits of a few pixels, which nobody sees. */
const SEEN = 16

let isFaithful = false

/**
 * True if the browser replaces by noise what a page reads from a canvas, against fingerprinting, as Firefox with
 * `privacy.resistFingerprinting` does. A result of true is not kept, since the user may allow the page to read in the meantime.
 */
export function areReadsChanged(): boolean {
  isFaithful ||= !differs()
  return !isFaithful
}

function differs(): boolean {
  // Without OffscreenCanvas the page encodes, with a canvas of its own.
  if (!('OffscreenCanvas' in globalThis)) return false
  const context = new OffscreenCanvas(SIDE, SIDE).getContext('2d', { willReadFrequently: true })
  if (!context) return false
  context.fillStyle = `rgb(${COLOUR.slice(0, 3).join(' ')})`
  context.fillRect(0, 0, SIDE, SIDE)
  const { data } = context.getImageData(0, 0, SIDE, SIDE)
  return data.some((value, index) => Math.abs(value - (COLOUR[index % 4] ?? 0)) > SEEN)
}
