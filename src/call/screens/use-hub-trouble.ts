import { useSignal, useSignalEffect } from '@preact/signals-react'
import { useCall } from '../use-call.ts'

type Trouble = 'reconnecting' | 'lost'

/** Longest interruption that is not shown. */
const CALM_MS = 500

/** Returns the trouble of the hub connection to show; null if there is none. */
export function useHubTrouble(): Trouble | null {
  const { hub } = useCall()
  const trouble = useSignal<Trouble | null>(null)
  useSignalEffect(() => {
    const state = hub.state.value
    const before = trouble.peek()
    if (state === 'gave-up') trouble.value = 'lost'
    else if (state !== 'reconnecting') trouble.value = null
    else if (before !== null) trouble.value = 'reconnecting'
    else {
      const timer = setTimeout(() => {
        trouble.value = 'reconnecting'
      }, CALM_MS)
      return () => clearTimeout(timer)
    }
    return undefined
  })
  return trouble.value
}
