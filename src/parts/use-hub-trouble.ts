import { useSignal, useSignalEffect } from '@preact/signals-react'
import { useStores } from '../stores/stores.ts'

type Trouble = 'reconnecting' | 'lost'

/** A break that mends itself within this time is not worth a word. */
const CALM_MS = 500

/** What there is to say of the real-time connection; null while it is well. */
export function useHubTrouble(): Trouble | null {
  const { hub } = useStores()
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
