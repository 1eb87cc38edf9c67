import type { BlockStatus } from '#protocol/block-status.ts'
import type { Gender, Provider } from '#protocol/fields.ts'
import type { Language } from '#protocol/languages.ts'
import type { Preferences } from '#protocol/preferences.ts'

/** Accounts and their records. Times are milliseconds since 1970, ids opaque texts. */

export type VerifiedIdentity = {
  provider: Provider
  subject: string
  email: string
  firstName: string
  lastName: string
}

export type Account = VerifiedIdentity & {
  id: string
  status: BlockStatus
  /** Logins that were made before this moment are over. */
  loginsSince: number
  /** The language of the pages at the last sign-in or appeal, whichever was later. */
  language: Language
}

/** An account that is signed in with a login session; `signedInAt` is when the provider last confirmed its identity. */
export type SignedIn = { sessionId: string; signedInAt: number; account: Account }

type ProfileDetails = {
  nickName: string
  gender: Gender
  /** yyyy-MM-dd */
  dateOfBirth: string
  consentVersion: string
  consentAt: number
}

export type Profile = ProfileDetails & Preferences

/** The stored data that a search needs: block status, languages and interests. An account without a profile has no languages or interests. */
export type Admission = Preferences & { status: BlockStatus; hasProfile: boolean }

export interface Accounts {
  /** Resolves with the account of this provider and subject; the first sign-in creates it. */
  signIn(identity: VerifiedIdentity, at: number): Promise<Account>
  find(id: string): Promise<Account | null>
  /** Resolves with the accounts that are signed in with these login sessions, read in one statement. */
  signedInWith(sessionIds: readonly string[]): Promise<SignedIn[]>
  /** Reads the account in one statement with others that are asked for at the same time. Resolves with null if there is no such account. */
  admission(id: string): Promise<Admission | null>
  setNames(id: string, firstName: string, lastName: string): Promise<void>
  setLanguage(id: string, language: Language): Promise<void>
  profile(id: string): Promise<Profile | null>
  nickName(id: string): Promise<string | null>
  /** Keeps the date of birth of an existing profile. `picture` null keeps the stored picture. */
  saveProfile(id: string, profile: ProfileDetails, picture: Uint8Array | null): Promise<void>
}
