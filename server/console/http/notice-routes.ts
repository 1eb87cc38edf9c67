import type { NoticeDesk } from '../rules/notice-desk.ts'
import type { ConsoleEndpoint } from './console-endpoint.ts'

export function contentNoticeRoutes(endpoint: ConsoleEndpoint, desk: NoticeDesk): void {
  endpoint('readContentNotices', () => desk.queue())
  endpoint('openContentNotice', ({ input, caller }) => desk.open(caller, input.id))
  endpoint('answerContentNotice', ({ input, caller }) => desk.answer(caller, input))
}
