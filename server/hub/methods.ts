import * as v from 'valibot'
import { CHAT_MESSAGE_MAX } from '#protocol/constants.ts'
import { AppError } from '#protocol/errors.ts'
import {
  candidateSchema,
  descriptionSchema,
  type HubEvent,
  type HubEventArguments,
  type HubMethod,
  type HubParsed,
  hasAudioAndVideo,
  hubMethods,
  type Role,
} from '#protocol/hub.ts'
import { tryParse } from '#protocol/parse.ts'
import type { AliasOf } from '../accounts/rules/alias.ts'
import type { Accounts } from '../accounts/rules/ports.ts'
import type { Matches } from '../matching/matches.ts'
import type { Matching } from '../matching/matchmaker.ts'
import {
  callMs,
  type LiveMatch,
  partnerOf,
  requireOwn,
  requirePartner,
  requireRole,
  sideOf,
} from '../matching/rules/match.ts'
import type { Relations } from '../matching/rules/ports.ts'
import type { Judge, TakeReport } from '../moderation/rules/ports.ts'
import type { Background } from '../platform/background.ts'
import type { Clock } from '../platform/rules/clock.ts'
import type { InvokingConnection } from './connection.ts'
import type { Delivery } from './delivery.ts'
import { isDeeperThan } from './messages.ts'
import type { Roster } from './roster.ts'

type Deps = {
  clock: Clock
  accounts: Pick<Accounts, 'profile'>
  relations: Relations
  takeReport: TakeReport
  judge: Judge
  aliasOf: AliasOf
  roster: Roster
  matches: Matches
  matching: Matching
  background: Background
}

/** The next message waits for a promise, but not for a delivery. */
export type Answer = Promise<void> | Delivery | void
type Handler<M extends HubMethod> = (connection: InvokingConnection, args: HubParsed<M>) => Answer
/** Takes the arguments as they came. Throws an AppError for a refusal; then nothing has changed. */
export type Method = (connection: InvokingConnection, args: unknown[]) => Answer

/** Levels of arrays and objects in a description or candidate; browsers send one. */
const SIGNALLING_DEPTH_LIMIT = 4

const jsonOf = <S extends v.GenericSchema>(schema: S) =>
  v.pipe(
    v.string(),
    v.parseJson(),
    v.check((value) => !isDeeperThan(SIGNALLING_DEPTH_LIMIT, value)),
    schema,
  )
const offerOrAnswerSchema = jsonOf(descriptionSchema)
const candidateTextSchema = jsonOf(candidateSchema)

/** Returns the description's text. */
function requireDescription(data: string, type: 'offer' | 'answer'): string {
  const parsed = tryParse(offerOrAnswerSchema, data)
  if (!parsed.success || parsed.output.type !== type) throw new AppError('bad-request', `the data is no ${type}`)
  if (!hasAudioAndVideo(parsed.output.sdp)) throw new AppError('offer-incomplete', 'audio and video are both needed')
  return parsed.output.sdp
}

/** The text that a message carries: base64 of UTF-8, or itself where it is none. */
function decodedLength(message: string): number {
  const bytes = Buffer.from(message, 'base64')
  if (bytes.toString('base64') !== message) return message.length
  const text = bytes.toString('utf8')
  return Buffer.from(text).equals(bytes) ? text.length : message.length
}

function requireShortChat(message: string): void {
  // What is short as it came is no longer once decoded.
  if (message.length > CHAT_MESSAGE_MAX && decodedLength(message) > CHAT_MESSAGE_MAX)
    throw new AppError('too-large', `a message has at most ${CHAT_MESSAGE_MAX} characters`)
}

const tooMuchWaits = () => new AppError('not-delivered', 'too much waits for the peer')

/** The ten invocations of a client, each checked against the connection's user, their match and their role. */
export function createMethods(deps: Deps): Record<HubMethod, Method> {
  const { clock, accounts, relations, takeReport, judge, aliasOf, roster, matches, matching, background } = deps

  /** Whose report of a match failed, but may have been taken all the same: only its answer was lost. */
  const doubtful = new WeakMap<LiveMatch, Set<string>>()

  function ownedByOthers(accountId: string) {
    return (connection: string) => (roster.ownerOf(connection) ?? accountId) !== accountId
  }

  function checkPartner(match: LiveMatch, accountId: string, peer: string): string {
    const partner = partnerOf(match, accountId).account
    requirePartner(match, accountId, peer, ownedByOthers(partner))
    return partner
  }

  function deliver<E extends HubEvent>(accountId: string, event: E, args: HubEventArguments<E>): void {
    if (roster.relay(accountId, event, args).isGivenUp) throw tooMuchWaits()
  }

  function requireMatch(accountId: string): LiveMatch {
    const session = matches.of(accountId)
    if (!session?.announced) throw new AppError('not-in-match', 'there is no match')
    return session
  }

  function reportable(accountId: string, own: string, peer: string): LiveMatch {
    // Of several with the same person, the match that goes on.
    const current = matches.of(accountId)
    const isOfCurrent =
      current?.announced &&
      sideOf(current, accountId).connections.has(own) &&
      partnerOf(current, accountId).connections.has(peer)
    const ended = isOfCurrent ? undefined : matches.endedBetween(accountId, own, peer)
    if (ended) return ended
    const match = requireMatch(accountId)
    requireOwn(match, accountId, own)
    checkPartner(match, accountId, peer)
    return match
  }

  function relayDescription(role: Role, type: 'offer' | 'answer', event: 'OnOfferReceived' | 'OnAnswerReceived') {
    return ({ accountId }: InvokingConnection, [id, peer, data]: HubParsed<'HandleOffer'>): void => {
      const match = matches.require(accountId, id)
      const partner = checkPartner(match, accountId, peer)
      requireRole(match, accountId, role)
      const sdp = requireDescription(data, type)
      const { addresses } = match
      const shown = !addresses || addresses.isOver ? data : addresses.holdAddressesOf(partner, type, sdp)
      if (shown === null) throw tooMuchWaits()
      deliver(partner, event, [id, shown])
      if (type === 'answer') match.answeredAt ??= clock.now()
    }
  }

  function method<M extends HubMethod>(name: M, handle: Handler<M>): Method {
    const schema: v.GenericSchema<unknown, HubParsed<M>> = hubMethods[name]
    return (connection, args) => {
      const parsed = tryParse(schema, args)
      if (!parsed.success) throw new AppError('bad-request', parsed.issues[0].message)
      return handle(connection, parsed.output)
    }
  }

  return {
    InitiateMatchingWithPeers: method('InitiateMatchingWithPeers', (connection, [own]) => {
      if (own !== connection.id) throw new AppError('forbidden', 'this is not the own connection')
      return matching.join(connection)
    }),

    HandleUserNickNameAndUserEmailIdToPeer: method(
      'HandleUserNickNameAndUserEmailIdToPeer',
      async ({ accountId }, [peer]) => {
        const match = requireMatch(accountId)
        const partner = checkPartner(match, accountId, peer)
        const profile = await accounts.profile(accountId)
        if (!profile || matches.of(accountId) !== match) throw new AppError('not-in-match', 'the match is over')
        const alias = aliasOf(partner, accountId)
        deliver(partner, 'OnPeerNickNameAndEmailIdReceived', [profile.nickName, alias, alias])
      },
    ),

    HandleOffer: method('HandleOffer', relayDescription('Caller', 'offer', 'OnOfferReceived')),
    HandleAnswer: method('HandleAnswer', relayDescription('Callee', 'answer', 'OnAnswerReceived')),

    HandleIceCandidate: method('HandleIceCandidate', ({ accountId }, [id, peer, data]) => {
      const match = matches.require(accountId, id)
      const partner = checkPartner(match, accountId, peer)
      if (!tryParse(candidateTextSchema, data).success) throw new AppError('bad-request', 'the data is no candidate')
      const { addresses } = match
      if (addresses && !addresses.isOver) {
        if (!addresses.holdCandidate(partner, data)) throw tooMuchWaits()
        return
      }
      deliver(partner, 'OnIceCandidate', [id, data])
    }),

    SendChatMessageToPeer: method('SendChatMessageToPeer', ({ accountId }, [id, peer, message, messageId]) => {
      const partner = checkPartner(matches.require(accountId, id), accountId, peer)
      requireShortChat(message)
      return roster.relay(partner, 'OnChatMessage', [id, message, messageId ?? undefined], id)
    }),

    UpdateWebRtcConnectionSuccessStatus: method('UpdateWebRtcConnectionSuccessStatus', ({ accountId }, [id]) => {
      matches.confirm(matches.require(accountId, id), accountId)
    }),

    OnMatchedSessionTerminationRequested: method('OnMatchedSessionTerminationRequested', ({ accountId }, [id, own]) => {
      // Both pressed Next at the same moment, or the time was over: what was asked for is so.
      if (matches.hasJustEnded(accountId, id)) return
      const session = matches.require(accountId, id)
      requireOwn(session, accountId, own)
      matches.leave(accountId, 'a side asked for it')
    }),

    HandleReportedUser: method('HandleReportedUser', async ({ accountId }, [own, peer, type]) => {
      const match = reportable(accountId, own, peer)
      const reported = partnerOf(match, accountId).account
      const at = clock.now()
      const facts = {
        session: match.id,
        reporter: accountId,
        reported,
        type,
        at,
        callMs: callMs(match, at),
        reporterSaw: sideOf(match, accountId).sawPeerAt !== null,
        reportedSaw: sideOf(match, reported).sawPeerAt !== null,
      }
      const inDoubt = doubtful.get(match) ?? new Set<string>()
      const isFirst = await takeReport(facts).catch((error: unknown) => {
        doubtful.set(match, inDoubt.add(accountId))
        throw error
      })
      if (!isFirst && !inDoubt.delete(accountId)) throw new AppError('wrong-state', 'this session was reported before')
      if (type === 'BlockAndReport') matching.block(accountId, reported)
      roster.tell(accountId, 'OnUserReportingSuccessful', [match.id])
      roster.tell(reported, 'OnUserReportedByPeer', [match.id])
      const session = matches.of(accountId)
      if (session?.id === match.id) matches.endForBoth(session, 'a report', { account: accountId, reports: true })
      // Only now, so that whoever is shut out by it has been told of the report.
      background.run('a report could not be judged', judge(reported))
    }),

    HandleMatchedEmailIds: method('HandleMatchedEmailIds', async ({ accountId }, [, named]) => {
      // Clients name the peer by the session alias they were told, or by the match itself.
      const match = requireMatch(accountId)
      const partner = partnerOf(match, accountId).account
      if (named !== match.id && named !== aliasOf(accountId, partner))
        throw new AppError('not-in-match', 'the peer is not of this match')
      await relations.recordMet(accountId, partner, clock.now())
    }),
  }
}
