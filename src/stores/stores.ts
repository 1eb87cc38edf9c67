import { createContext, useContext } from 'react'
import type { PageConfig } from '#protocol/page-config.ts'
import type { AccountStore } from './account.ts'
import type { CallStore } from './call.ts'
import type { ChatStore } from './chat.ts'
import type { DeviceStore } from './devices.ts'
import type { HubStore } from './hub.ts'
import type { LobbyStore } from './lobby.ts'
import type { NoticeStore } from './notices.ts'
import type { SessionStore } from './session.ts'

export type Stores = {
  config: PageConfig
  session: SessionStore
  account: AccountStore
  lobby: LobbyStore
  devices: DeviceStore
  hub: HubStore
  call: CallStore
  chat: ChatStore
  notices: NoticeStore
}

export const StoresContext = createContext<Stores | null>(null)

/** The stores that createApp made; throws outside of its provider. */
export function useStores(): Stores {
  const stores = useContext(StoresContext)
  if (!stores) throw new Error('useStores needs a StoresContext.Provider above it')
  return stores
}
