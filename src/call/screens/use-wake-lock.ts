import { useEffect } from 'react'

/** Keeps the screen on while the component is mounted. The browser releases the lock of a hidden page; it is requested again when the page is visible. */
export function useWakeLock(): void {
  useEffect(() => {
    let gone = false
    let asking = false
    let lock: WakeLockSentinel | null = null

    async function take(): Promise<void> {
      if (asking || document.visibilityState !== 'visible' || (lock && !lock.released)) return
      asking = true
      try {
        const taken = await navigator.wakeLock.request('screen')
        lock = taken
        if (gone) await taken.release()
      } catch {
        // Denied at low battery, or not supported: the screen may turn off, and the call continues.
      } finally {
        asking = false
      }
    }

    void take()
    document.addEventListener('visibilitychange', take)
    return () => {
      gone = true
      document.removeEventListener('visibilitychange', take)
      lock?.release().catch(() => {})
    }
  }, [])
}
