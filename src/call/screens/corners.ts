export type Corner = { vertical: 'top' | 'bottom'; horizontal: 'left' | 'right' }
type Box = { left: number; top: number; width: number; height: number }

/** Returns the corner of `box` nearest to a point in the same coordinates. */
export function nearestCorner(x: number, y: number, box: Box): Corner {
  return {
    vertical: y < box.top + box.height / 2 ? 'top' : 'bottom',
    horizontal: x < box.left + box.width / 2 ? 'left' : 'right',
  }
}

/** Returns the corner that an arrow key leads to; null for any other key. */
export function cornerTowards(corner: Corner, key: string): Corner | null {
  switch (key) {
    case 'ArrowUp':
      return { ...corner, vertical: 'top' }
    case 'ArrowDown':
      return { ...corner, vertical: 'bottom' }
    case 'ArrowLeft':
      return { ...corner, horizontal: 'left' }
    case 'ArrowRight':
      return { ...corner, horizontal: 'right' }
    default:
      return null
  }
}
