import { useSyncExternalStore } from 'react'
import type { PageConfig } from '#protocol/page-config.ts'
import { usePlatform } from '../../platform/use-platform.ts'

const never = () => () => {}

/**
 * Returns the operator's configuration; null while a prerendered page is hydrated. That page was built without a
 * configuration, and its placeholders must be replaced.
 */
export function useOperator(): PageConfig | null {
  const { config } = usePlatform()
  return useSyncExternalStore(
    never,
    () => config,
    () => null,
  )
}
