import type { Preferences } from '#protocol/preferences.ts'
import type { Profile } from './ports.ts'

/** The classifier's judgement of a profile picture; `unchecked` until there is one. */
export type PictureCheck = 'unchecked' | 'passed' | 'refused'

/** Resolves with `unchecked` if the classifier does not respond now. */
export type CheckPicture = (picture: Uint8Array, accountId: string) => Promise<PictureCheck>

/** A profile picture in two sizes, both WebP without metadata. */
export type StoredPicture = {
  large: Uint8Array
  /** Null for a picture whose thumbnail has not been made yet. */
  thumbnail: Uint8Array | null
  check: PictureCheck
}

/** What users see and change of their own profile. */
export type OwnProfile = Pick<Profile, 'nickName' | 'gender' | 'dateOfBirth'> & {
  showsPicture: boolean
  /** True if the user has chosen or removed the picture. */
  isPictureChosen: boolean
  /** True if the latest picture was refused and therefore removed. */
  isPictureRefused: boolean
  picture: StoredPicture | null
}

type ProfileChange = Pick<OwnProfile, 'nickName' | 'gender' | 'showsPicture'> & {
  /** Null removes the picture; without it the stored picture is kept. */
  picture?: StoredPicture | null
}

export interface Profiles {
  find(accountId: string): Promise<OwnProfile | null>
  /** Resolves with the thumbnail of the user's picture; null without a picture, or if the user does not show it. */
  findShown(accountId: string): Promise<Pick<StoredPicture, 'thumbnail' | 'check'> | null>
  /** Changes an existing profile. Resolves with false if there is none. */
  change(accountId: string, change: ProfileChange): Promise<boolean>
  /** Stores thumbnail and check of the stored picture, unless it has been replaced meanwhile. A refused picture is removed. */
  complete(accountId: string, picture: StoredPicture): Promise<void>
  /** Resolves with false if there is no profile. */
  correctBirth(accountId: string, dateOfBirth: string): Promise<boolean>
}

export type CommonTerms = {
  /** The number of networks (/24 of IPv4, /48 of IPv6) from which people with the interest signed in last. */
  networks: number
  max: number
  /**
   * People are settled if their account was created before this time, and if they had this many confirmed calls of
   * `lastedMs` with different people.
   */
  createdBefore: number
  calls: number
  lastedMs: number
}

export interface PreferenceRecords {
  find(accountId: string): Promise<Preferences>
  /** Replaces both lists. Resolves with false, and keeps nothing, if there is no profile. */
  replace(accountId: string, preferences: Preferences): Promise<boolean>
  /** Resolves with interests of settled people who may chat, the most used first. */
  commonInterests(terms: CommonTerms): Promise<string[]>
}
