import type { ReactNode } from 'react'
import { MemberContext } from '../account/use-account.ts'
import { CallContext } from '../call/use-call.ts'
import { CurtainContext } from '../curtain/use-curtain.tsx'
import { DevicesContext } from '../devices/use-devices.tsx'
import { LobbyContext } from '../lobby/use-lobby.ts'
import type { MemberStores } from './stores.ts'

/** Provides the stores of a signed-in user to the screens below. It is loaded with the stores. */
export function MemberProvider({ stores, children }: { stores: MemberStores; children: ReactNode }) {
  return (
    <MemberContext value={stores}>
      <DevicesContext value={stores}>
        <CurtainContext value={stores}>
          <CallContext value={stores}>
            <LobbyContext value={stores}>{children}</LobbyContext>
          </CallContext>
        </CurtainContext>
      </DevicesContext>
    </MemberContext>
  )
}
