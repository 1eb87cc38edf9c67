import { useSyncExternalStore } from 'react'
import type { PageConfig } from '#protocol/page-config.ts'
import { useVisitor } from '../stores/stores.ts'

const never = () => () => {}

/**
 * Returns the operator's configuration; null while a prerendered page is hydrated, because that page was built without a
 * configuration and its placeholders must be replaced.
 */
export function useOperator(): PageConfig | null {
  const { config } = useVisitor()
  return useSyncExternalStore(
    never,
    () => config,
    () => null,
  )
}
