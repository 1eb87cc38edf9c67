import { CHAT_MESSAGE_MAX } from '#protocol/constants.ts'
import { AppError } from '#protocol/errors.ts'
import type { AliasOf } from '../../accounts/rules/alias.ts'
import type { Accounts } from '../../accounts/rules/ports.ts'
import type { Matches } from '../../matching/matches.ts'
import type { Matchmaker } from '../../matching/matchmaker.ts'
import { partnerOf, requireOwn } from '../../matching/rules/match.ts'
import type { Relations } from '../../matching/rules/ports.ts'
import type { Clock } from '../../platform/rules/clock.ts'
import type { WordChecks } from '../../words/rules/word-checks.ts'
import type { HubMethodHandlers } from '../dispatch.ts'
import type { Roster } from '../roster.ts'
import { relayToPeer, requireMatch, requirePeer } from './peer-access.ts'

export type MatchMethodDeps = {
  clock: Clock
  accounts: Pick<Accounts, 'nickName'>
  relations: Relations
  aliasOf: AliasOf
  words: Pick<WordChecks, 'shownNickname'>
  roster: Roster
  matches: Matches
  matching: Matchmaker
}

/** Returns the length of the text that the message encodes as base64 of UTF-8; the length of a message that is no base64. */
function decodedLength(message: string): number {
  const bytes = Buffer.from(message, 'base64')
  if (bytes.toString('base64') !== message) return message.length
  const text = bytes.toString('utf8')
  return Buffer.from(text).equals(bytes) ? text.length : message.length
}

function requireShortChat(message: string): void {
  // A decoded text is never longer than its encoded form.
  if (message.length > CHAT_MESSAGE_MAX && decodedLength(message) > CHAT_MESSAGE_MAX)
    throw new AppError('too-large', `a message has at most ${CHAT_MESSAGE_MAX} characters`)
}

/** The methods of search, match and chat: all but signalling and reports. */
export function createMatchMethods(deps: MatchMethodDeps) {
  const { clock, accounts, relations, aliasOf, words, roster, matches, matching } = deps
  return {
    InitiateMatchingWithPeers(connection, [own]) {
      if (own !== connection.id) throw new AppError('forbidden', 'this is not the own connection')
      return matching.join(connection)
    },

    async HandleUserNickNameAndUserEmailIdToPeer({ accountId }, [peer]) {
      const match = requireMatch(matches, accountId)
      const partner = requirePeer(roster, match, accountId, peer)
      const stored = await accounts.nickName(accountId)
      const nickName = stored === null ? null : await words.shownNickname(stored)
      if (nickName === null || matches.of(accountId) !== match) throw new AppError('not-in-match', 'the match is over')
      const alias = aliasOf(partner, accountId)
      relayToPeer(roster, partner, 'OnPeerNickNameAndEmailIdReceived', [nickName, alias, alias])
    },

    SendChatMessageToPeer({ accountId }, [id, peer, message, messageId]) {
      const partner = requirePeer(roster, matches.require(accountId, id), accountId, peer)
      requireShortChat(message)
      return roster.relay(partner, 'OnChatMessage', [id, message, messageId ?? undefined], id)
    },

    HandleTyping({ accountId }, [id, peer]) {
      const partner = requirePeer(roster, matches.require(accountId, id), accountId, peer)
      // Not sent to an absent peer: on the peer's return the user no longer types.
      if (roster.of(partner)?.open) roster.relay(partner, 'OnPeerTyping', [id], id)
    },

    UpdateWebRtcConnectionSuccessStatus({ accountId }, [id]) {
      matches.confirm(matches.require(accountId, id), accountId)
    },

    OnMatchedSessionTerminationRequested({ accountId }, [id, own]) {
      // The match has just ended, as requested: both users pressed Next, or it timed out.
      if (matches.ended(accountId, id)) return
      const match = matches.require(accountId, id)
      requireOwn(match, accountId, own)
      matches.leave(accountId, 'a user ended it')
    },

    async HandleMatchedEmailIds({ accountId }, [, peer]) {
      // Clients name the peer by the alias that the server sent, or by the id of the match.
      const match = requireMatch(matches, accountId)
      const partner = partnerOf(match, accountId).accountId
      if (peer !== match.id && peer !== aliasOf(accountId, partner))
        throw new AppError('not-in-match', 'the peer is not of this match')
      await relations.recordMet(accountId, partner, clock.now())
    },
  } satisfies Partial<HubMethodHandlers>
}
