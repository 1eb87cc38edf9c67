/**
 * Stops `timeupdate` events before React handles them. React listens to every media event, and without a handler in any
 * component these four events a second of each video are most of the CPU time of a page that shows a camera.
 */
export function quietVideos(): void {
  window.addEventListener('timeupdate', (event) => event.stopPropagation(), { capture: true })
}
