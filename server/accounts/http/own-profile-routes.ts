import { mayChat } from '#protocol/block-status.ts'
import { VALID } from '#protocol/constants.ts'
import { formatProfileCookie, parseProfileCookie } from '#protocol/cookies.ts'
import { AppError, type ErrorCode } from '#protocol/errors.ts'
import { fieldError } from '../../platform/http/problems.ts'
import {
  MATCH_PICTURE_RATE,
  PREFERENCES_RATE,
  PROFILE_RATE,
  SUGGESTIONS_RATE,
} from '../../platform/http/rate-limits.ts'
import type { NicknameFault } from '../../words/rules/visible-words.ts'
import type { WordChecks } from '../../words/rules/word-checks.ts'
import type { AccountHttp } from './deps.ts'
import type { UserEndpoint } from './login.ts'

const refusals: Record<NicknameFault, { code: ErrorCode; message: string }> = {
  reserved: { code: 'nickname-reserved', message: 'This nickname could pass for the staff of this site' },
  contact: { code: 'nickname-contact', message: 'A nickname spells no telephone number and no address' },
  insult: { code: 'word-refused', message: 'A nickname has no word that is refused here' },
}

/** Rejects with an error for the field `NickName` unless the nickname may be chosen. */
export async function requireNickname(words: Pick<WordChecks, 'faultOfNickname'>, nickName: string): Promise<void> {
  const fault = await words.faultOfNickname(nickName)
  if (fault === null) return
  const { code, message } = refusals[fault]
  throw fieldError(code, 'NickName', message)
}

const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64')
const noProfile = () => new AppError('wrong-state', 'There is no profile yet')

/** The endpoints with which users read and change their own profile, and see the picture of their partner. */
export function ownProfileRoutes(endpoint: UserEndpoint, deps: AccountHttp): void {
  const { cookies, pictures, words, partnerIn } = deps
  const { profiles, preferences } = deps.store

  endpoint(
    'readProfile',
    async ({ caller: { account } }) => {
      const [profile, chosen] = await Promise.all([pictures.read(account.id), preferences.find(account.id)])
      if (!profile) throw noProfile()
      const { nickName, gender, dateOfBirth, showsPicture, picture } = profile
      return {
        nickName,
        gender,
        dateOfBirth,
        showsPicture,
        pictureState: pictures.stateOf(profile),
        picture: picture && base64(picture.large),
        ...chosen,
      }
    },
    PROFILE_RATE,
  )

  endpoint(
    'changeProfile',
    async ({ input, caller: { account }, request, reply }) => {
      const { NickName: nickName, Gender: gender } = input
      const before = await profiles.find(account.id)
      // An unchanged nickname is not checked: it may be older than a rule that refuses it.
      if (nickName !== before?.nickName) await requireNickname(words, nickName)
      const isRemoved = input.RemovePicture === 'true'
      const picture = input.file ? await pictures.take(input.file, account.id) : null
      const change = { nickName, gender, showsPicture: input.ShowPicture === 'true' }
      if (!(await profiles.change(account.id, { ...change, ...((picture || isRemoved) && { picture }) })))
        throw noProfile()
      const confirmed = parseProfileCookie(cookies.read(request, 'profile') ?? '')
      if (confirmed?.email === account.email)
        cookies.set(reply, 'profile', formatProfileCookie({ email: account.email, nickName }))
      const profile = await profiles.find(account.id)
      return { message: VALID, pictureState: profile ? pictures.stateOf(profile) : 'none' }
    },
    PROFILE_RATE,
  )

  endpoint(
    'readMatchPicture',
    async ({ input: { session }, caller: { account } }) => {
      if (!mayChat(account.status)) throw new AppError('blocked', 'This account may not chat')
      const over = () => new AppError('not-found', 'This match is not yours or over')
      const partner = await partnerIn(session, account.id)
      if (partner === null) throw over()
      const picture = await pictures.seenByOthers(partner)
      // The match may have ended while the classifier checked the picture.
      if ((await partnerIn(session, account.id)) === null) throw over()
      return { picture: picture && base64(picture) }
    },
    MATCH_PICTURE_RATE,
  )
}

export function preferenceRoutes(
  endpoint: UserEndpoint,
  { store: { preferences }, words, suggest }: AccountHttp,
): void {
  endpoint(
    'changePreferences',
    async ({ input, caller: { account } }) => {
      if (!(await words.mayHave(input.interests)))
        throw fieldError('word-refused', 'interests', 'An interest is or contains a word that is refused here')
      if (!(await preferences.replace(account.id, input))) throw noProfile()
      return input
    },
    PREFERENCES_RATE,
  )

  endpoint('readSuggestions', async () => ({ interests: await suggest() }), SUGGESTIONS_RATE)
}
