import type { Config } from '../../config/config.ts'
import type { Partners } from '../../matching/rules/ports.ts'
import type { Moderation } from '../../moderation/rules/moderation.ts'
import type { Platform } from '../../platform/platform.ts'
import type { Deletions } from '../../privacy/rules/ports.ts'
import type { WordChecks } from '../../words/rules/word-checks.ts'
import type { ProfilePictures } from '../profile-pictures.ts'
import type { EndLogin, LoginSessions } from '../rules/login-ports.ts'
import type { Accounts } from '../rules/ports.ts'
import type { PreferenceRecords, Profiles } from '../rules/profile-ports.ts'
import type { RefreshTokenIssuer } from '../rules/tokens.ts'
import type { Cookies } from './cookies.ts'
import type { Jwt } from './jwt.ts'
import type { PresentedLogin } from './presented-login.ts'
import type { VerifyIdentity } from './providers.ts'

type Given = Partners & Pick<Platform, 'clock' | 'newId' | 'log'> & Pick<Config, 'ipLookup'>

export type AccountHttp = Given & {
  store: {
    accounts: Accounts
    profiles: Profiles
    preferences: PreferenceRecords
    loginSessions: LoginSessions
    deletions: Pick<Deletions, 'pending'>
  }
  cookies: Cookies
  jwt: Jwt
  refreshTokens: RefreshTokenIssuer
  /** A keyed one-way function. */
  signature: (text: string) => string
  verifyIdentity: VerifyIdentity
  moderation: Pick<Moderation, 'admit' | 'banMinor'>
  endLogin: EndLogin
  /**
   * To be called after a change of an account or of one of its logins. `isKnownElsewhere` is false if no other server
   * can have checked the login.
   */
  loginChanged: (accountId: string, isKnownElsewhere: boolean) => void
  presentedLogin: PresentedLogin
  pictures: ProfilePictures
  words: WordChecks
  /** Resolves with the interests that are offered to everybody. */
  suggest: () => Promise<string[]>
}
