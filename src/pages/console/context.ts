import { createContext, useContext } from 'react'
import type { ModerationStore } from '../../stores/console.ts'

export const ModerationContext = createContext<ModerationStore | null>(null)

/** Throws outside of the console. */
export function useModeration(): ModerationStore {
  const store = useContext(ModerationContext)
  if (!store) throw new Error('The console needs a ModerationContext.Provider above')
  return store
}
