/** Frames a second: few enough to cost nothing, and enough for the peer's browser to show that the picture goes on. */
const FPS = 5

/** Returns a track of this size that is black, until it is stopped. */
export function blackTrack(width: number, height: number): MediaStreamTrack {
  const canvas = document.createElement('canvas')
  Object.assign(canvas, { width, height })
  const context = canvas.getContext('2d', { alpha: false })
  const [track] = canvas.captureStream(FPS).getVideoTracks()
  if (!context || !track) throw new Error('No canvas to capture')
  // A canvas that is not painted gives no frame.
  const paint = () => context.fillRect(0, 0, width, height)
  paint()
  const timer = setInterval(() => {
    // No event tells of a stop by the page itself.
    if (track.readyState === 'ended') clearInterval(timer)
    else paint()
  }, 1_000 / FPS)
  return track
}
