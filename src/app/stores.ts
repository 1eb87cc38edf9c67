import type { IdentityProviders } from '../account/ports.ts'
import type { Account, Member } from '../account/use-account.ts'
import type { Call } from '../call/use-call.ts'
import type { Curtain } from '../curtain/use-curtain.tsx'
import type { Devices } from '../devices/use-devices.tsx'
import type { Lobby } from '../lobby/use-lobby.ts'
import type { Clock } from '../platform/clock.ts'
import type { WorkerLog } from '../platform/io/network.ts'
import type { Workers } from '../platform/io/workers.ts'
import type { Navigation } from '../platform/navigation.ts'
import type { Api, Storage } from '../platform/ports.ts'
import type { Platform } from '../platform/use-platform.ts'
import type { Pages } from './pages.ts'

/** Stores that every screen needs. */
export type VisitorStores = Platform & Account

/** Stores of dashboard, search and call. They are loaded with the first of these screens. */
export type MemberStores = Member & Devices & Curtain & Call & Lobby

export type Stores = VisitorStores & MemberStores

/** Ports for the modules that are loaded later. */
export type AppPorts = {
  api: Api
  providers: IdentityProviders<Window>
  clock: Clock
  log: WorkerLog
  navigation: Navigation
  storage: Storage<Blob>
  workers: Workers
  pages: Pages
  /** Called when the user can start a call. */
  canAct: () => void
}
