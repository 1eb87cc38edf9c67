import { LATE_REPORT_MS } from '#protocol/constants.ts'
import { AppError } from '#protocol/errors.ts'
import type { Matches } from '../../matching/matches.ts'
import type { Matchmaker } from '../../matching/matchmaker.ts'
import { type Match, partnerOf, requireOwn, sideOf } from '../../matching/rules/match.ts'
import type { MatchRecords } from '../../matching/rules/ports.ts'
import type { Moderation } from '../../moderation/rules/moderation.ts'
import type { Report } from '../../moderation/rules/ports.ts'
import type { Background } from '../../platform/background.ts'
import type { Clock } from '../../platform/rules/clock.ts'
import type { HubMethodHandlers } from '../dispatch.ts'
import type { Roster } from '../roster.ts'
import { requireMatch, requirePeer } from './peer-access.ts'

export type ReportMethodDeps = Pick<Moderation, 'recordReport' | 'judge'> & {
  clock: Clock
  roster: Roster
  matches: Matches
  matchRecords: Pick<MatchRecords, 'find'>
  matching: Matchmaker
  background: Background
}

type Facts = Pick<Report, 'session' | 'reported' | 'callMs' | 'reporterSaw' | 'reportedSaw'>

/** The method that reports the peer, during a match and after it. */
export function createReportMethod(deps: ReportMethodDeps): Pick<HubMethodHandlers, 'HandleReportedUser'> {
  const { clock, recordReport, judge, roster, matches, matchRecords, matching, background } = deps

  /** By match: the accounts whose report failed. Such a report may have been written, when only the result was lost. */
  const uncertain = new WeakMap<Match, Set<string>>()

  /** Returns the current match of these connections or, if there is none, their latest match that has just ended. */
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

  /** Returns the match with this id if it goes on or has just ended. */
  function findMatch(accountId: string, id: string): Match | undefined {
    const current = matches.of(accountId)
    return current?.isAnnounced && current.id === id ? current : matches.ended(accountId, id)
  }

  function factsOf(match: Match, accountId: string): Facts {
    const peer = partnerOf(match, accountId)
    return {
      session: match.id,
      reported: peer.accountId,
      callMs: match.answeredAt === null ? null : clock.now() - match.answeredAt,
      reporterSaw: sideOf(match, accountId).sawPeerAt !== null,
      reportedSaw: peer.sawPeerAt !== null,
    }
  }

  /** Reads a match that this server has forgotten. Rejects with `not-in-match` for a match of other users or an old match. */
  async function readPast(accountId: string, id: string): Promise<Facts> {
    const past = await matchRecords.find(id)
    const isOfUser = past?.caller === accountId || past?.callee === accountId
    const end = past?.endedAt ?? clock.now()
    if (!past || !isOfUser || clock.now() - end > LATE_REPORT_MS)
      throw new AppError('not-in-match', 'the session is not yours or over for too long')
    return {
      session: id,
      reported: past.caller === accountId ? past.callee : past.caller,
      callMs: past.callFrom === null ? null : end - past.callFrom,
      // The records of the match say who confirmed the call.
      reporterSaw: false,
      reportedSaw: false,
    }
  }

  /** Rejects with `wrong-state` for a second report. `match` is null for a match that this server has forgotten. */
  async function record(
    accountId: string,
    given: Pick<Report, 'type' | 'details'>,
    facts: Facts,
    match: Match | null,
  ): Promise<void> {
    const reporters = (match && uncertain.get(match)) ?? new Set<string>()
    const report = { ...facts, ...given, reporter: accountId, at: clock.now() }
    const isFirst = await recordReport(report).catch((error: unknown) => {
      if (match) uncertain.set(match, reporters.add(accountId))
      throw error
    })
    if (!isFirst && !reporters.delete(accountId)) throw new AppError('wrong-state', 'this session was reported before')
  }

  return {
    async HandleReportedUser({ accountId }, [own, peer, type, id, details]) {
      const match = id ? (findMatch(accountId, id) ?? null) : requireReportable(accountId, own, peer)
      const facts = match ? factsOf(match, accountId) : await readPast(accountId, id ?? '')
      await record(accountId, { type, details: details ?? undefined }, facts, match)
      const { session, reported } = facts
      matching.block(accountId, reported)
      roster.send(accountId, 'OnUserReportingSuccessful', [session])
      // Not sent for a forgotten match: the reported user is in another match and learns of the report by the status only.
      if (match) roster.send(reported, 'OnUserReportedByPeer', [session])
      const current = matches.of(accountId)
      if (current?.id === session) matches.endForBoth(current, 'a report', { accountId, isReport: true })
      // After the events: the judgement may end the connection of the reported user.
      background.run('moderation: a report was not judged', judge(reported))
    },
  }
}
