import { createContext, useContext } from 'react'
import type { ConsoleStore } from '../state/console.ts'

export const ConsoleContext = createContext<ConsoleStore | null>(null)
ConsoleContext.displayName = 'Console'

/** Returns the console's store. Throws outside of the console. */
export function useConsole(): ConsoleStore {
  const store = useContext(ConsoleContext)
  if (!store) throw new Error('The console needs a ConsoleContext.Provider above')
  return store
}
