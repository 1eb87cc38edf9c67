import type { Account } from '../account/use-account.ts'
import type { Curtain } from '../curtain/use-curtain.tsx'
import type { Devices } from '../devices/use-devices.tsx'
import { featureContext, useFeature } from '../platform/feature-context.ts'
import type { Platform } from '../platform/use-platform.ts'
import type { AssetStore } from './state/assets.ts'
import type { CallStore } from './state/call.ts'
import type { CallBackStore } from './state/call-back.ts'
import type { ChatStore, TypingStore } from './state/chat.ts'
import type { DataUseStore } from './state/data-use.ts'
import type { HubStore, SearchStore } from './state/hub.ts'
import type { LastPeerStore } from './state/last-peer.ts'
import type { PeerAvatarStore } from './state/peer-avatar.ts'
import type { QualityStore } from './state/quality.ts'
import type { RelayOnlyStore } from './state/relay-only.ts'

export type Call = {
  call: CallStore
  hub: HubStore
  search: SearchStore
  chat: ChatStore
  typing: TypingStore
  peerAvatar: PeerAvatarStore
  callBack: CallBackStore
  lastPeer: LastPeerStore
  quality: QualityStore
  dataUse: DataUseStore
  relayOnly: RelayOnlyStore
  assets: AssetStore
}

/** All stores that a running call reads and changes: its own, and those of the features below it. */
export type CallStores = Platform & Account & Devices & Curtain & Call

export const CallContext = featureContext<Call>('Call')
export const useCall = (): Call => useFeature(CallContext)
