import { VALID } from '#protocol/constants.ts'
import type { UserEndpoint } from '../../accounts/http/login.ts'
import { addressPrefix } from '../../moderation/rules/risk.ts'
import { languageOf } from '../../platform/http/language-of.ts'
import { byNetwork, CONTENT_NOTICE_RATE, CONTENT_NOTICE_STATE_RATE } from '../../platform/http/rate-limits.ts'
import type { Notices } from '../rules/notices.ts'

/** The endpoints of the form for people without an account. */
export function noticeRoutes(endpoint: UserEndpoint, notices: Notices): void {
  endpoint(
    'sendContentNotice',
    // Counted by /48 or /24, since one person may use all of its addresses.
    ({ input, request }) => notices.send(input, languageOf(request), addressPrefix(request.ip) ?? byNetwork(request)),
    CONTENT_NOTICE_RATE,
  )
  endpoint('readContentNotice', ({ input }) => notices.read(input), CONTENT_NOTICE_STATE_RATE)
  endpoint(
    'deleteContentNotice',
    async ({ input }) => {
      await notices.remove(input)
      return { message: VALID }
    },
    CONTENT_NOTICE_STATE_RATE,
  )
}
