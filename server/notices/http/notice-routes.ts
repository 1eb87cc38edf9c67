import { VALID } from '#protocol/constants.ts'
import type { UserEndpoint } from '../../accounts/http/login.ts'
import { languageOf } from '../../platform/http/language-of.ts'
import { CONTENT_NOTICE_RATE, CONTENT_NOTICE_STATE_RATE } from '../../platform/http/rate-limits.ts'
import type { Notices } from '../rules/notices.ts'

/** The endpoints of the form for people without an account. */
export function noticeRoutes(endpoint: UserEndpoint, notices: Notices): void {
  endpoint(
    'sendContentNotice',
    ({ input, request }) => notices.send(input, languageOf(request), request.ip),
    CONTENT_NOTICE_RATE,
  )
  endpoint(
    'readNoticeChallenge',
    async ({ request }) => ({ challenge: await notices.challenge(request.ip) }),
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
