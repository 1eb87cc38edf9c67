import { type Context, createContext, useContext } from 'react'

export function featureContext<Stores>(name: string): Context<Stores | null> {
  const context = createContext<Stores | null>(null)
  context.displayName = name
  return context
}

/** Throws outside of the context. */
export function useFeature<Stores>(context: Context<Stores | null>): Stores {
  const stores = useContext(context)
  if (!stores) throw new Error(`No <${context.displayName}> above`)
  return stores
}
