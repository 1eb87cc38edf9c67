/**
 * Keeps the clock of playing videos from React, which hears every media event of every video twice, four times a second, for
 * handlers that nobody has written: most of what a page costs that shows a camera and nothing else.
 */
export function quietVideos(): void {
  window.addEventListener('timeupdate', (event) => event.stopPropagation(), { capture: true })
}
