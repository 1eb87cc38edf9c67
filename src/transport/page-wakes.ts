/** Subscribes to the return of the network and to the page becoming visible. Returns a function that unsubscribes. */
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

/** True if the page is visible and the browser is not known to be offline. */
export function isPageAwake(): boolean {
  return document.visibilityState === 'visible' && navigator.onLine
}
