import type { ReactNode } from 'react'
import { AccountContext } from '../account/use-account.ts'
import { PlatformContext } from '../platform/use-platform.ts'
import type { VisitorStores } from './stores.ts'

/** Provides the stores that every screen needs to the screens below. */
export function VisitorProvider({ stores, children }: { stores: VisitorStores; children: ReactNode }) {
  return (
    <PlatformContext value={stores}>
      <AccountContext value={stores}>{children}</AccountContext>
    </PlatformContext>
  )
}
