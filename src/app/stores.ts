import type { Account, Member } from '../account/use-account.ts'
import type { Call } from '../call/use-call.ts'
import type { Curtain } from '../curtain/use-curtain.tsx'
import type { Devices } from '../devices/use-devices.tsx'
import type { Lobby } from '../lobby/use-lobby.ts'
import type { Platform } from '../platform/use-platform.ts'

/** Stores that every screen needs. */
export type VisitorStores = Platform & Account

/** Stores of dashboard, search and call. They are loaded with the first of these screens. */
export type MemberStores = Member & Devices & Curtain & Call & Lobby

export type Stores = VisitorStores & MemberStores
