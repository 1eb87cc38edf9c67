import { useEffect } from 'react'

/** Keeps the screen on while the component is there. The browser lets go of the lock with the page; it is taken again with it. */
export function useWakeLock(): void {
  useEffect(() => {
    let gone = false
    let lock: WakeLockSentinel | null = null

    async function take(): Promise<void> {
      if (document.visibilityState !== 'visible' || (lock && !lock.released)) return
      try {
        const taken = await navigator.wakeLock.request('screen')
        lock = taken
        if (gone) await taken.release()
      } catch {
        // Refused at low battery, or not there at all: the screen may go dark, the call goes on.
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
