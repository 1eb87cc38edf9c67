import type { PageAttention } from '../ports.ts'

/** Calls `listener` when the network is back or the page becomes visible. Returns a function that unsubscribes. */
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

export const pageAttention: PageAttention = {
  state() {
    if (document.visibilityState !== 'visible') return 'hidden'
    return navigator.onLine ? 'awake' : 'offline'
  },
  onChange(listener) {
    document.addEventListener('visibilitychange', listener)
    window.addEventListener('online', listener)
    window.addEventListener('offline', listener)
    return () => {
      document.removeEventListener('visibilitychange', listener)
      window.removeEventListener('online', listener)
      window.removeEventListener('offline', listener)
    }
  },
}
