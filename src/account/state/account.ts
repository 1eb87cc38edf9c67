import { type ReadonlySignal, signal } from '@preact/signals-react'
import { formatProfileCookie } from '#protocol/cookies.ts'
import { AppError, toAppError } from '#protocol/errors.ts'
import type { Provider } from '#protocol/fields.ts'
import type { StoredProfile } from '#protocol/rest.ts'
import type { Api } from '../../platform/ports.ts'
import type { Resume, ToastStore } from '../../platform/state/toasts.ts'
import type { VisitStore } from '../../platform/state/visit.ts'
import { type NicknameRefusal, nicknameRefusal } from '../rules/nickname-refusal.ts'
import { createLoginSession, type LoginSessionPorts } from './login-session.ts'
import { createLogoutDelivery, type LogoutPorts } from './logout-delivery.ts'
import { createSignIn, type SignInPorts } from './sign-in.ts'
import { createStart } from './start-up.ts'
import { createUser, type User, type UserPorts } from './user.ts'

export type AccountPorts = UserPorts & LogoutPorts & LoginSessionPorts & SignInPorts

export type AccountStore = ReturnType<typeof createAccountStore>

/** Holds the user of this browser. Covers start-up, sign-in, profile and logout. */
export function createAccountStore(ports: AccountPorts, visit: VisitStore, toasts: ToastStore) {
  const user = createUser(ports)
  const delivery = createLogoutDelivery(ports)
  const session = createLoginSession(ports, visit, delivery)
  const { email, nickName, profile, nicknameRefusal, picture } = user

  return {
    email: email as ReadonlySignal<string>,
    nickName: nickName as ReadonlySignal<string>,
    /** An object URL of the profile picture; null if there is none. */
    picture: picture.url,
    /** The stored profile of a returning user; null before sign-in and on a first sign-in. */
    profile: profile as ReadonlySignal<StoredProfile | null>,
    /** Why the server refused the nickname of the last `saveProfile`; null if it was not refused. */
    nicknameRefusal: nicknameRefusal as ReadonlySignal<NicknameRefusal | null>,
    serverNow: session.serverNow,
    offers: (source: Provider): boolean => ports.providers[source] !== null,
    ...createStart(ports, visit, toasts, user, session, delivery),
    ...createSignIn(ports, visit, toasts, user, session),
    ...createProfileSaver(ports.api, visit, toasts, user),

    /** Returns the start's data for a part of the dashboard, once. Null means that the part must be requested. */
    takeFirst: user.first.take,

    /** Called when the user can act: sends the entry in the background, and clears what an earlier user has left. */
    signInShown(): void {
      session.entry.sendWhenIdle()
      if (email.peek() === '') ports.whenIdle(() => void user.clearStored())
    },

    /** Shows and stores the profile that the server has stored. */
    async takeProfile(stored: { nickName: string; picture: Blob | null }): Promise<void> {
      nickName.value = stored.nickName
      await picture.take(stored.picture)
    },
  }
}

/** `dateOfBirth` is yyyy-MM-dd. */
type ProfileInput = Omit<StoredProfile, 'picture'>

function createProfileSaver(
  api: Api,
  visit: Pick<VisitStore, 'mark'>,
  toasts: ToastStore,
  { email, nickName, profile, nicknameRefusal: refusal, picture }: User,
) {
  const savingProfile = signal(false)

  async function send(own: string, input: ProfileInput): Promise<void> {
    const file = picture.file()
    await api.request('addProfile', {
      EmailAddress: own,
      NickName: input.nickName,
      Gender: input.gender,
      DOB: input.dateOfBirth,
      ConsentAgreed: 'true',
      ...(file && { file }),
    })
  }

  return {
    savingProfile: savingProfile as ReadonlySignal<boolean>,

    /**
     * Sends the profile and sets its cookie. Resolves with true if the dashboard follows. Resolves with false if the
     * nickname was refused (`nicknameRefusal` has the reason), after another failure (the error popup shows it, with
     * `resume` as its buttons), and if the user has logged out meanwhile, in this tab or another.
     */
    async saveProfile(input: ProfileInput, resume?: Resume): Promise<boolean> {
      const own = email.peek()
      if (own === '') {
        toasts.fail(new AppError('email-missing'), 'welcome')
        return false
      }
      const isOver = () => email.peek() !== own
      savingProfile.value = true
      refusal.value = null
      try {
        await send(own, input)
        if (isOver()) return false
        // Now the server has stored the date of birth, which cannot be changed again.
        profile.value = { nickName: input.nickName, gender: input.gender, dateOfBirth: input.dateOfBirth }
        await api.request('setProfileCookie', {
          CookieValue: formatProfileCookie({ email: own, nickName: input.nickName }),
        })
        if (isOver()) return false
        nickName.value = input.nickName
        visit.mark('welcomePageLoaded')
        return true
      } catch (thrown) {
        if (isOver()) return false
        refusal.value = nicknameRefusal(toAppError(thrown).code)
        if (refusal.peek() === null) toasts.fail(thrown, 'welcome', resume)
        return false
      } finally {
        savingProfile.value = false
      }
    },
  }
}
