import type { ReadonlySignal } from '@preact/signals-react'
import type { Provider } from '#protocol/fields.ts'
import type { StoredProfile } from '#protocol/rest.ts'
import type { ToastStore } from '../../platform/state/toasts.ts'
import type { VisitStore } from '../../platform/state/visit.ts'
import type { NicknameRefusal } from '../rules/nickname-refusal.ts'
import type { FirstAnswers } from '../rules/start-up.ts'
import { createLoginSession, type LoginSessionPorts } from './login-session.ts'
import { createLogoutDelivery, type LogoutPorts } from './logout-delivery.ts'
import { createProfileSaver } from './save-profile.ts'
import { createSignIn, type SignInPorts } from './sign-in.ts'
import { createStart } from './start-up.ts'
import { createUser, type UserPorts } from './user.ts'

export type AccountPorts = UserPorts & LogoutPorts & LoginSessionPorts & SignInPorts

export type AccountStore = ReturnType<typeof createAccountStore>

/** The user of this browser: start-up, sign-in, profile, logout. */
export function createAccountStore(ports: AccountPorts, visit: VisitStore, toasts: ToastStore) {
  const user = createUser(ports)
  const delivery = createLogoutDelivery(ports)
  const session = createLoginSession(ports, visit, delivery)
  const parts = { visit, toasts, user, session, delivery }
  const { email, nickName, picture, first } = user

  return {
    email: email as ReadonlySignal<string>,
    nickName: nickName as ReadonlySignal<string>,
    /** An object URL of the profile picture; null if there is none. */
    picture: picture.url,
    /** The stored profile of a returning user; null before sign-in and on a first sign-in. */
    profile: user.profile as ReadonlySignal<StoredProfile | null>,
    /** Why the server refused the nickname of the last `saveProfile`; null if it did not. */
    nicknameRefusal: user.nicknameRefusal as ReadonlySignal<NicknameRefusal | null>,
    serverNow: session.serverNow,
    offers: (source: Provider): boolean => ports.providers[source] !== null,
    ...createStart(ports, parts),
    ...createSignIn(ports, parts),
    ...createProfileSaver(ports.api, parts),

    /** Returns what the start has said for a part of the dashboard, once; null if it is to be asked for. */
    takeFirst: <Name extends keyof FirstAnswers>(name: Name) => first.take(name),

    /** Called when the user can act: what the sign-in needs is sent in the background, and what an earlier user has left is cleared. */
    signInShown(): void {
      session.entry.sendWhenIdle()
      if (email.peek() === '') ports.whenIdle(() => void user.clearStored())
    },

    /** Shows and keeps what the server has stored of the profile. */
    async takeProfile(stored: { nickName: string; picture: Blob | null }): Promise<void> {
      nickName.value = stored.nickName
      await picture.take(stored.picture)
    },
  }
}
