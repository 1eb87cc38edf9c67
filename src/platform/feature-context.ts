import { type Context, createContext, useContext } from 'react'

/** The context with the stores of a feature. */
export function featureContext<Stores>(name: string): Context<Stores | null> {
  const context = createContext<Stores | null>(null)
  context.displayName = name
  return context
}

/** Returns the stores of a feature. Throws outside of its context. */
export function useFeature<Stores>(context: Context<Stores | null>): Stores {
  const stores = useContext(context)
  if (!stores) throw new Error(`No <${context.displayName}> above`)
  return stores
}
