import { AppError } from '#protocol/errors.ts'
import type { Matches } from '../../matching/matches.ts'
import type { Matchmaker } from '../../matching/matchmaker.ts'
import { callMs, type Match, partnerOf, requireOwn, sideOf } from '../../matching/rules/match.ts'
import type { Judge, RecordReport } from '../../moderation/rules/ports.ts'
import type { Background } from '../../platform/background.ts'
import type { Clock } from '../../platform/rules/clock.ts'
import type { Roster } from '../roster.ts'
import type { HubMethodHandlers } from './hub-methods.ts'
import { requireMatch, requirePeer } from './peer-access.ts'

export type ReportMethodDeps = {
  clock: Clock
  recordReport: RecordReport
  judge: Judge
  roster: Roster
  matches: Matches
  matching: Matchmaker
  background: Background
}

/** The method that reports the peer, during a match and for a minute after it. */
export function createReportMethod(deps: ReportMethodDeps): Pick<HubMethodHandlers, 'HandleReportedUser'> {
  const { clock, recordReport, judge, roster, matches, matching, background } = deps

  /** Accounts whose report of the match failed but may have been written: only the result was lost. */
  const uncertain = new WeakMap<Match, Set<string>>()

  /** Of several matches of the same two, the current one comes first. */
  function requireReportable(accountId: string, own: string, peer: string): Match {
    const current = matches.of(accountId)
    const isOfCurrent =
      current?.isAnnounced &&
      sideOf(current, accountId).connections.has(own) &&
      partnerOf(current, accountId).connections.has(peer)
    const ended = isOfCurrent ? undefined : matches.endedBetween(accountId, own, peer)
    if (ended) return ended
    const match = requireMatch(matches, accountId)
    requireOwn(match, accountId, own)
    requirePeer(roster, match, accountId, peer)
    return match
  }

  return {
    async HandleReportedUser({ accountId }, [own, peer, type]) {
      const match = requireReportable(accountId, own, peer)
      const reported = partnerOf(match, accountId).accountId
      const at = clock.now()
      const report = {
        session: match.id,
        reporter: accountId,
        reported,
        type,
        at,
        callMs: callMs(match, at),
        reporterSaw: sideOf(match, accountId).sawPeerAt !== null,
        reportedSaw: sideOf(match, reported).sawPeerAt !== null,
      }
      const reporters = uncertain.get(match) ?? new Set<string>()
      const isFirst = await recordReport(report).catch((error: unknown) => {
        uncertain.set(match, reporters.add(accountId))
        throw error
      })
      if (!isFirst && !reporters.delete(accountId))
        throw new AppError('wrong-state', 'this session was reported before')
      if (type === 'BlockAndReport') matching.block(accountId, reported)
      roster.send(accountId, 'OnUserReportingSuccessful', [match.id])
      roster.send(reported, 'OnUserReportedByPeer', [match.id])
      const current = matches.of(accountId)
      if (current?.id === match.id) matches.endForBoth(current, 'a report', { accountId, isReport: true })
      // After the events, since the judgement may end the connection of the reported user.
      background.run('moderation: a report was not judged', judge(reported))
    },
  }
}
