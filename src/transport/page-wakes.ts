/** Calls the listener when the network is back or the page is looked at again; the answer ends that. */
export function onPageWake(listener: () => void): () => void {
  function shown(): void {
    if (document.visibilityState === 'visible') listener()
  }
  window.addEventListener('online', listener)
  document.addEventListener('visibilitychange', shown)
  return () => {
    window.removeEventListener('online', listener)
    document.removeEventListener('visibilitychange', shown)
  }
}
