import { type ReadonlySignal, signal } from '@preact/signals-react'
import { formatProfileCookie } from '#protocol/cookies.ts'
import { AppError, toAppError } from '#protocol/errors.ts'
import type { StoredProfile } from '#protocol/rest.ts'
import type { Api } from '../../platform/ports.ts'
import type { Resume, ToastStore } from '../../platform/state/toasts.ts'
import type { VisitStore } from '../../platform/state/visit.ts'
import { nicknameRefusal } from '../rules/nickname-refusal.ts'
import type { User } from './user.ts'

type Parts = { visit: Pick<VisitStore, 'mark'>; toasts: ToastStore; user: User }

/** `dateOfBirth` is yyyy-MM-dd. */
type ProfileInput = Omit<StoredProfile, 'picture'>

/** Saving the profile of the welcome screen. */
export function createProfileSaver(api: Api, { visit, toasts, user }: Parts) {
  const savingProfile = signal(false)
  const { email, nickName, profile, nicknameRefusal: refusal, picture } = user

  /** Sends the profile with the consent, and the picture if there is one. */
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
     * Sends the profile and sets its cookie. Resolves with true if the dashboard is next. Resolves with false if the nickname was
     * refused, which `nicknameRefusal` says; after another failure, which the error popup shows, with `resume` as the ways on; and if the
     * user has logged out meanwhile, in this tab or another.
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
        // From now on the server knows the date of birth, which cannot be changed any more.
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
