import { useEffect } from 'react'

/** Keeps the screen on while the component is there. The browser lets go of the lock with the page; it is taken again with it. */
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
        // Refused at low battery, or not there at all: the screen may go dark, the call goes on.
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
