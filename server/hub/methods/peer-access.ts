import { AppError } from '#protocol/errors.ts'
import type { HubEvent, HubEventArguments } from '#protocol/hub.ts'
import type { ActiveMatch } from '../../matching/active-match.ts'
import type { Matches } from '../../matching/matches.ts'
import { type Match, partnerOf } from '../../matching/rules/match.ts'
import type { Roster } from '../roster.ts'

export const tooMuchWaits = () => new AppError('not-delivered', 'too much waits for the peer')

/** Returns the user's announced match. Throws `not-in-match` when there is none. */
export function requireMatch(matches: Matches, accountId: string): ActiveMatch {
  const match = matches.of(accountId)
  if (!match?.isAnnounced) throw new AppError('not-in-match', 'there is no match')
  return matches.require(accountId, match.id)
}

/**
 * Returns the partner's account. Throws `not-in-match` unless `peer` is a connection that the partner has or had in this match. The earlier
 * connections of a restored match are unknown: its `peer` may be any connection that is not known to belong to another user.
 */
export function requirePeer(roster: Roster, match: Match, accountId: string, peer: string): string {
  const { accountId: partner, connections } = partnerOf(match, accountId)
  const mayBeOfPartner = match.isRestored && (roster.ownerOf(peer) ?? partner) === partner
  if (!connections.has(peer) && !mayBeOfPartner) throw new AppError('not-in-match', 'the peer is not of this match')
  return partner
}

/** Relays an event to the peer. Throws `not-delivered` when too much is on its way to the peer. */
export function relayToPeer<E extends HubEvent>(roster: Roster, peer: string, event: E, args: HubEventArguments<E>) {
  if (roster.relay(peer, event, args).isGivenUp) throw tooMuchWaits()
}
