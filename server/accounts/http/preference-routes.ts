import { AppError } from '#protocol/errors.ts'
import { PREFERENCES_RATE, SUGGESTIONS_RATE } from '../../platform/http/rate-limits.ts'
import { createSuggestions } from '../rules/suggestions.ts'
import type { AccountHttp } from './deps.ts'
import type { UserEndpoint } from './login.ts'

/** The endpoints for the languages and interests of a user. */
export function preferenceRoutes(
  endpoint: UserEndpoint,
  { store: { preferences }, clock }: Pick<AccountHttp, 'store' | 'clock'>,
): void {
  const suggestions = createSuggestions(preferences, clock)

  endpoint(
    'changePreferences',
    async ({ input, caller: { account } }) => {
      if (!(await preferences.replace(account.id, input))) throw new AppError('wrong-state', 'There is no profile yet')
      return input
    },
    PREFERENCES_RATE,
  )

  endpoint('readSuggestions', async () => ({ interests: await suggestions() }), SUGGESTIONS_RATE)
}
