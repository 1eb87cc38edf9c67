import { createContext, useContext } from 'react'
import type { PageConfig } from '#protocol/page-config.ts'
import type { AccountStore } from './account.ts'
import type { AssetStore } from './assets.ts'
import type { CallStore } from './call.ts'
import type { CallBackStore } from './call-back.ts'
import type { ChatStore } from './chat.ts'
import type { ConnectionCheck } from './connection-check.ts'
import type { CurtainStore } from './curtain.ts'
import type { DataUseStore } from './data-use.ts'
import type { DeletionStatusStore } from './deletion-status.ts'
import type { DeviceStore } from './devices.ts'
import type { HubStore } from './hub.ts'
import type { LastPeerStore } from './last-peer.ts'
import type { LobbyStore } from './lobby.ts'
import type { LoginStore } from './logins.ts'
import type { MyDataStore } from './my-data.ts'
import type { NoticeStore } from './notices.ts'
import type { PeerAvatarStore } from './peer-avatar.ts'
import type { PictureChoiceStore } from './picture-choice.ts'
import type { PictureStateStore } from './picture-states.ts'
import type { PreferencesStore } from './preferences.ts'
import type { PrivacyStore } from './privacy.ts'
import type { ProfileStore } from './profile.ts'
import type { QualityStore } from './quality.ts'
import type { SearchStore } from './search.ts'
import type { SoundStore } from './sounds.ts'
import type { TextStore } from './texts.ts'
import type { TransparencyStore } from './transparency.ts'
import type { TypingStore } from './typing.ts'
import type { VisitStore } from './visit.ts'

/** Stores of every screen. */
export type VisitorStores = {
  config: PageConfig
  visit: VisitStore
  account: AccountStore
  notices: NoticeStore
  texts: TextStore
  pictureChoice: PictureChoiceStore
  deletionStatus: DeletionStatusStore
  transparency: TransparencyStore
}

/** Stores of dashboard, matching and call, loaded with the first of them. */
export type Stores = VisitorStores & {
  assets: AssetStore
  lobby: LobbyStore
  devices: DeviceStore
  privacy: PrivacyStore
  hub: HubStore
  search: SearchStore
  call: CallStore
  peerAvatar: PeerAvatarStore
  callBack: CallBackStore
  lastPeer: LastPeerStore
  quality: QualityStore
  dataUse: DataUseStore
  curtain: CurtainStore
  pictureStates: PictureStateStore
  /** Loads the check of devices and network. */
  loadCheck: () => Promise<ConnectionCheck>
  /** Loads the user's languages and interests. */
  loadPreferences: () => Promise<PreferencesStore>
  sounds: SoundStore
  chat: ChatStore
  typing: TypingStore
  myData: MyDataStore
  profile: ProfileStore
  logins: LoginStore
}

export const StoresContext = createContext<VisitorStores | Stores | null>(null)
StoresContext.displayName = 'Stores'

function useContextStores(): VisitorStores | Stores {
  const stores = useContext(StoresContext)
  if (!stores) throw new Error('The stores need a StoresContext.Provider above')
  return stores
}

/** Returns the stores of every screen. Throws outside of the context. */
export function useVisitor(): VisitorStores {
  return useContextStores()
}

/** Returns all stores. Throws on a screen that needs no sign-in. */
export function useStores(): Stores {
  const stores = useContextStores()
  if (!('call' in stores)) throw new Error('useStores needs a sign-in')
  return stores
}
