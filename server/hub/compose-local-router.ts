import type { QueueOptions } from '../matching/rules/match-queue.ts'
import { MatchQueue } from '../matching/rules/match-queue.ts'
import type { MatchRecords } from '../matching/rules/ports.ts'
import { LocalRouter } from './local-router.ts'

/** The router of a server that is the only one. */
export function composeLocalRouter(matching: { matchRecords: MatchRecords; queueOptions: QueueOptions }): LocalRouter {
  return new LocalRouter({ queue: new MatchQueue(matching.queueOptions), matchRecords: matching.matchRecords })
}
