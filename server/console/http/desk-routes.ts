import type { ConsoleDesk } from '../rules/desk.ts'
import type { NoticeDesk } from '../rules/notice-desk.ts'
import type { PreservationDesk } from '../rules/preservation-desk.ts'
import type { WordDesk } from '../rules/word-desk.ts'
import type { ConsoleEndpoint } from './login-routes.ts'

type Desks = { cases: ConsoleDesk; notices: NoticeDesk; words: WordDesk; preservations: PreservationDesk }

export function deskRoutes(endpoint: ConsoleEndpoint, { cases, notices, words, preservations }: Desks): void {
  endpoint('readQueue', ({ input: { kind, after } }) => cases.queue(kind, after))
  endpoint('readCase', ({ input, caller }) => cases.read(caller, input.id))
  endpoint('openEvidence', async ({ input, caller }) => {
    const jpeg = await cases.openEvidence(caller, input.caseId, input.id)
    return { jpeg: jpeg && Buffer.from(jpeg).toString('base64') }
  })
  endpoint('decide', ({ input, caller }) => cases.decide(caller, input))
  endpoint('correctBirth', ({ input, caller }) => cases.correctBirth(caller, input))
  endpoint('search', ({ input, caller }) => cases.search(caller, input.text))
  endpoint('readStatistics', () => cases.statistics())

  endpoint('readContentNotices', () => notices.queue())
  endpoint('openContentNotice', ({ input, caller }) => notices.open(caller, input.id))
  endpoint('answerContentNotice', ({ input, caller }) => notices.answer(caller, input))

  endpoint('readWords', () => words.read())
  endpoint('refuseWord', ({ input, caller }) => words.refuse(caller, input.word))
  endpoint('allowWord', ({ input, caller }) => words.allow(caller, input.word))

  endpoint('readPreservations', () => preservations.list())
  endpoint('preserveCase', ({ input, caller }) => preservations.preserve(caller, input))
  endpoint('openPreservation', ({ input, caller }) => preservations.open(caller, input.id))
  endpoint('judgePreservation', async ({ input, caller }) => ({
    preservation: await preservations.judge(caller, input),
  }))
  endpoint('exportPreservation', ({ input, caller }) => preservations.export(caller, input.id))
  endpoint('recordPreservationSent', ({ input, caller }) => preservations.setSent(caller, input))
}
