import { useEffect, useRef } from 'react'
import { featureContext, useFeature } from '../../platform/feature-context.ts'
import type { ConsoleStore } from '../state/console.ts'

export const ConsoleContext = featureContext<ConsoleStore>('Console')
export const useConsole = (): ConsoleStore => useFeature(ConsoleContext)

/** Binds global keys. They are ignored in text fields, while a dialog is open, and with a modifier. */
export function useKeys(keys: Readonly<Record<string, () => void>>): void {
  const latest = useRef(keys)
  useEffect(() => {
    latest.current = keys
  })
  useEffect(() => {
    function pressed(event: KeyboardEvent): void {
      const { key, target } = event
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return
      if (target instanceof Element && target.closest('input, textarea, select, dialog')) return
      const action = latest.current[key]
      if (!action) return
      event.preventDefault()
      action()
    }
    document.addEventListener('keydown', pressed)
    return () => document.removeEventListener('keydown', pressed)
  }, [])
}
