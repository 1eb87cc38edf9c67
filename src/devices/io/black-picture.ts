/** Frames per second: almost free, and enough for the peer's browser to see that the picture continues. */
const FPS = 5

/** Returns a black track of this size in pixels. It sends frames until it is stopped. */
export function blackTrack(width: number, height: number): MediaStreamTrack {
  const canvas = document.createElement('canvas')
  Object.assign(canvas, { width, height })
  const context = canvas.getContext('2d', { alpha: false })
  const [track] = canvas.captureStream(FPS).getVideoTracks()
  if (!context || !track) throw new Error('No canvas to capture')
  // A canvas gives a frame only when it is painted.
  const paint = () => context.fillRect(0, 0, width, height)
  paint()
  const timer = setInterval(() => {
    // There is no event when the page itself stops the track.
    if (track.readyState === 'ended') clearInterval(timer)
    else paint()
  }, 1_000 / FPS)
  return track
}
