/**
 * Stops `timeupdate` events before React handles them. React listens to every media event. Although no component has a
 * handler, these four events per second and video take most of the CPU time of a page that shows a camera.
 */
export function quietVideos(): void {
  window.addEventListener('timeupdate', (event) => event.stopPropagation(), { capture: true })
}
