import type { ComponentType } from 'react'
import { featureContext, useFeature } from '../platform/feature-context.ts'
import type { AccountStore } from './state/account.ts'
import type { LoginStore } from './state/logins.ts'
import type { MyDataStore } from './state/my-data.ts'
import type { ProfileStore } from './state/profile.ts'

/** The account store, for all screens, with or without a sign-in. */
export type Account = { account: AccountStore }

/** The stores that only a signed-in user needs. */
export type Member = {
  profile: ProfileStore
  myData: MyDataStore
  logins: LoginStore
  /** The greeting at the top right and its popup with the user's account and logout. */
  ProfilePopup: ComponentType
}

export const AccountContext = featureContext<Account>('Account')
export const useAccount = (): Account => useFeature(AccountContext)
export const MemberContext = featureContext<Member>('Member')
export const useMember = (): Member => useFeature(MemberContext)
