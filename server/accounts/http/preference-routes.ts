import { AppError } from '#protocol/errors.ts'
import { fieldError } from '../../platform/http/problems.ts'
import { PREFERENCES_RATE, SUGGESTIONS_RATE } from '../../platform/http/rate-limits.ts'
import type { AccountHttp } from './deps.ts'
import type { UserEndpoint } from './login.ts'

/** The endpoints for the languages and interests of a user. */
export function preferenceRoutes(
  endpoint: UserEndpoint,
  { store: { preferences }, words, suggest }: Pick<AccountHttp, 'store' | 'words' | 'suggest'>,
): void {
  endpoint(
    'changePreferences',
    async ({ input, caller: { account } }) => {
      if (!(await words.mayHave(input.interests)))
        throw fieldError('word-refused', 'interests', 'An interest is or contains a word that is refused here')
      if (!(await preferences.replace(account.id, input))) throw new AppError('wrong-state', 'There is no profile yet')
      return input
    },
    PREFERENCES_RATE,
  )

  endpoint('readSuggestions', async () => ({ interests: await suggest() }), SUGGESTIONS_RATE)
}
