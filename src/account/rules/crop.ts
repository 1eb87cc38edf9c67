/** Pure geometry of the square of a picture that is used, in pixels of the upright picture. */

export type PictureSize = { width: number; height: number }
export type Crop = { x: number; y: number; side: number }
/** With `zoom` 1 the square is as large as possible. The centre is a share of width and height, from 0 to 1. */
export type CropView = { zoom: number; centerX: number; centerY: number }

export const ZOOM_MAX = 4
export const wholeView: CropView = { zoom: 1, centerX: 0.5, centerY: 0.5 }

const within = (value: number, least: number, most: number) => Math.min(Math.max(value, least), most)

function sideOf({ width, height }: PictureSize, zoom: number): number {
  return Math.min(width, height) / zoom
}

/** Returns the view with zoom and centre changed so that the square is inside the picture. */
function inside(size: PictureSize, view: CropView): CropView {
  const zoom = within(view.zoom, 1, ZOOM_MAX)
  const side = sideOf(size, zoom)
  const centerOf = (center: number, length: number) => within(center, side / 2 / length, 1 - side / 2 / length)
  return { zoom, centerX: centerOf(view.centerX, size.width), centerY: centerOf(view.centerY, size.height) }
}

export function zoomed(size: PictureSize, view: CropView, zoom: number): CropView {
  return inside(size, { ...view, zoom })
}

/** Moves the picture under the square by shares of the square's side. Positive shares move it right and down. */
export function moved(size: PictureSize, view: CropView, byX: number, byY: number): CropView {
  const side = sideOf(size, view.zoom)
  return inside(size, {
    ...view,
    centerX: view.centerX - (byX * side) / size.width,
    centerY: view.centerY - (byY * side) / size.height,
  })
}

/** Moves the centre of the square to this share of the width. */
export function placed(size: PictureSize, view: CropView, centerX: number): CropView {
  return inside(size, { ...view, centerX })
}

export function cropOf(size: PictureSize, view: CropView): Crop {
  const { zoom, centerX, centerY } = inside(size, view)
  const side = sideOf(size, zoom)
  return { x: centerX * size.width - side / 2, y: centerY * size.height - side / 2, side }
}
