import { useSyncExternalStore } from 'react'
import type { PageConfig } from '#protocol/page-config.ts'
import { useVisitor } from '../stores/stores.ts'

const never = () => () => {}

/**
 * What the operator configured, null while a prerendered page is hydrated: that page was built before there was an
 * operator, and its links must be replaced, not kept.
 */
export function useOperator(): PageConfig | null {
  const { config } = useVisitor()
  return useSyncExternalStore(
    never,
    () => config,
    () => null,
  )
}
