import { useCallback, useRef, useState } from 'react'
import type { Calendar } from './calendar.tsx'

type LoadedCalendar = typeof Calendar

export type LoadCalendar = () => Promise<LoadedCalendar>

export const loadCalendar: LoadCalendar = async () => (await import('./calendar.tsx')).Calendar

/** Loads the calendar when `need` is called first, and again at the next call after a failure. */
export function useCalendar(load: LoadCalendar): { calendar: LoadedCalendar | 'loading' | 'failed'; need: () => void } {
  const [calendar, setCalendar] = useState<LoadedCalendar | 'loading' | 'failed'>('loading')
  const requested = useRef(false)

  const need = useCallback(() => {
    if (requested.current) return
    requested.current = true
    setCalendar('loading')
    load().then(
      // In a function, because React would call a component that is set as a state.
      (loaded) => setCalendar(() => loaded),
      () => {
        requested.current = false
        setCalendar('failed')
      },
    )
  }, [load])
  return { calendar, need }
}
