import type { FastifyRequest } from 'fastify'
import { CONSENT_VERSION } from '#protocol/constants.ts'
import { EMPTY_PROFILE, formatProfileCookie, parseProfileCookie } from '#protocol/cookies.ts'
import { acceptedLanguages } from '#protocol/languages.ts'
import { spokenLanguagesIn } from '#protocol/spoken-languages.ts'
import { fieldError } from '../../platform/http/problems.ts'
import { PROFILE_RATE } from '../../platform/http/rate-limits.ts'
import { isAdult, isInFuture } from '../rules/age.ts'
import type { Account, SignedIn } from '../rules/ports.ts'
import type { AccountHttp } from './deps.ts'
import type { UserEndpoint } from './login.ts'
import { requireOwnEmail } from './login.ts'
import { requireNickname } from './own-profile-routes.ts'

/**
 * Returns a function that resolves with the text of the profile cookie if the account's profile was confirmed in this
 * browser, else with `EMPTY_PROFILE`.
 */
export function createReadConfirmedProfile({ store, cookies }: AccountHttp) {
  return async (account: Account, request: FastifyRequest): Promise<string> => {
    const confirmed = parseProfileCookie(cookies.read(request, 'profile') ?? '')
    const profile = confirmed?.email === account.email ? await store.accounts.profile(account.id) : null
    return profile ? formatProfileCookie({ email: account.email, nickName: profile.nickName }) : EMPTY_PROFILE
  }
}

/** The endpoints for the profile and for the cookie that marks it as confirmed in this browser. */
export function profileRoutes(endpoint: UserEndpoint, deps: AccountHttp): void {
  const { store, clock, cookies, pictures, moderation, words } = deps
  const readConfirmedProfile = createReadConfirmedProfile(deps)

  async function banMinor({ account }: SignedIn): Promise<never> {
    await moderation.banMinor(account.id)
    throw fieldError('underage', 'DOB', 'You must be 18 years or older.')
  }

  async function checkBirth(caller: SignedIn, dateOfBirth: string): Promise<void> {
    const stored = await store.accounts.profile(caller.account.id)
    if (stored && stored.dateOfBirth !== dateOfBirth)
      throw fieldError('wrong-state', 'DOB', 'The date of birth cannot be changed')
    if (isInFuture(dateOfBirth, clock.now()))
      throw fieldError('bad-request', 'DOB', 'A date of birth cannot be in the future')
    if (!isAdult(dateOfBirth, clock.now())) await banMinor(caller)
  }

  /** Stores the languages of the browser as those of a new user, who can change them. */
  async function presetLanguages({ account }: SignedIn, { headers }: FastifyRequest): Promise<void> {
    const languages = spokenLanguagesIn(acceptedLanguages(headers['accept-language'] ?? ''))
    if (languages.length > 0) await store.preferences.replace(account.id, { languages, interests: [] })
  }

  endpoint(
    'addProfile',
    async ({ input, caller, request }) => {
      requireOwnEmail(caller, 'EmailAddress', input.EmailAddress)
      await requireNickname(words, input.NickName)
      const sent = input.file && (await pictures.reencode(input.file, caller.account.id))
      await checkBirth(caller, input.DOB)
      // A sign-in sends the provider's picture, which does not replace the one that the user chose.
      const isChosen = sent !== null && (await store.profiles.find(caller.account.id))?.isPictureChosen
      const picture = isChosen ? null : sent
      const { NickName: nickName, Gender: gender, DOB: dateOfBirth } = input
      const profile = { nickName, gender, dateOfBirth, consentVersion: CONSENT_VERSION, consentAt: clock.now() }
      const isNew = (await store.accounts.profile(caller.account.id)) === null
      await store.accounts.saveProfile(caller.account.id, profile, picture)
      if (isNew) await presetLanguages(caller, request)
    },
    PROFILE_RATE,
  )

  endpoint('readProfileCookie', async ({ caller: { account }, request }) => ({
    cookieValue: await readConfirmedProfile(account, request),
  }))

  endpoint('setProfileCookie', async ({ input, caller, reply }) => {
    const value = parseProfileCookie(input.CookieValue)
    if (!value) throw fieldError('bad-request', 'CookieValue', 'A profile cookie has an e-mail, a nickname and true')
    requireOwnEmail(caller, 'CookieValue', value.email)
    const { account } = caller
    const profile = await store.accounts.profile(account.id)
    if (profile?.nickName !== value.nickName)
      throw fieldError('wrong-state', 'CookieValue', 'The profile has to be saved first')
    cookies.set(reply, 'profile', formatProfileCookie({ email: account.email, nickName: profile.nickName }))
  })

  endpoint('deleteProfileCookie', async ({ reply }) => cookies.clear(reply, 'profile'))
}
