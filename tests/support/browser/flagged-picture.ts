/**
 * An abstract picture that the model of the safety curtain flags: eight by eight colours, found by a random search for a high score. It
 * shows nothing and is nobody's; made for these tests.
 */
const ROWS = [
  'ddd 742 d97 d98 da8 ca8 323 358',
  '342 975 c87 d87 c87 ca8 888 788',
  'db6 561 ca8 c87 b95 b97 ba8 cb9',
  'db7 cb8 120 795 875 224 a9b efe',
  'dda db8 997 444 565 362 886 a97',
  '985 663 533 546 111 252 795 9a8',
  '885 563 000 000 120 574 8a6 aec',
  'fdd c98 300 cdf 434 886 896 df7',
]

/** Fills the canvas with the picture, its colours blended into each other. */
export function drawFlagged(context: CanvasRenderingContext2D): void {
  const colours = ROWS.map((row) => row.split(' '))
  const small = new OffscreenCanvas(colours[0]?.length ?? 0, colours.length)
  const dots = small.getContext('2d')
  if (!dots) throw new Error('No context')
  for (const [y, row] of colours.entries()) {
    for (const [x, colour] of row.entries()) {
      dots.fillStyle = `#${colour}`
      dots.fillRect(x, y, 1, 1)
    }
  }
  context.drawImage(small, 0, 0, context.canvas.width, context.canvas.height)
}

/** Fills the canvas with a simple face before a wall. */
export function drawFace(context: CanvasRenderingContext2D): void {
  const { width, height } = context.canvas
  context.save()
  context.scale(width / 640, height / 480)
  context.fillStyle = '#c9d6c3'
  context.fillRect(0, 0, 640, 480)
  function ellipse(x: number, y: number, across: number, along: number, colour: string): void {
    context.fillStyle = colour
    context.beginPath()
    context.ellipse(x, y, across, along, 0, 0, 2 * Math.PI)
    context.fill()
  }
  ellipse(320, 480, 190, 130, '#23395b')
  ellipse(320, 200, 105, 135, '#3b2a20')
  ellipse(320, 225, 85, 115, '#d99a6c')
  ellipse(285, 205, 12, 7, '#ffffff')
  ellipse(355, 205, 12, 7, '#ffffff')
  ellipse(320, 285, 30, 8, '#a2453f')
  context.restore()
}
