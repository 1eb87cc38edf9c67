import * as v from 'valibot'
import { AppError } from '#protocol/errors.ts'
import { candidateSchema, descriptionSchema, type HubParsed, hasAudioAndVideo, type Role } from '#protocol/hub.ts'
import { tryParse } from '#protocol/parse.ts'
import type { Matches } from '../../matching/matches.ts'
import { mayBeTried, withoutCandidates } from '../../matching/rules/candidates.ts'
import { type Match, partnerOf, type Side, sideOf } from '../../matching/rules/match.ts'
import type { Clock } from '../../platform/rules/clock.ts'
import { TokenBucket } from '../../platform/rules/token-bucket.ts'
import type { HubMethodHandlers } from '../dispatch.ts'
import { isDeeperThan } from '../messages.ts'
import type { Roster } from '../roster.ts'
import type { InvokingConnection } from '../user-connection.ts'
import { relayToPeer, requirePeer, tooMuchWaits } from './peer-access.ts'

export type SignallingMethodDeps = { clock: Clock; roster: Roster; matches: Matches }

/** Nested arrays and objects in a description or candidate; browsers send one level. */
const SIGNALLING_DEPTH_LIMIT = 4

const jsonOf = <S extends v.GenericSchema>(schema: S) =>
  v.pipe(
    v.string(),
    v.parseJson(),
    v.check((value) => !isDeeperThan(SIGNALLING_DEPTH_LIMIT, value)),
    schema,
  )
const descriptionTextSchema = jsonOf(descriptionSchema)
const candidateTextSchema = jsonOf(candidateSchema)

/**
 * Addresses to which one user may make the peer's browser send packets: 20 for the setup, 20 for an ICE restart right after the setup, and
 * more for later restarts. A browser has fewer than 20 addresses without TCP and without the private addresses of other networks.
 */
const CANDIDATES = { burst: 40, perSecond: 1 }

function requireDescription(data: string, type: 'offer' | 'answer'): string {
  const parsed = tryParse(descriptionTextSchema, data)
  if (!parsed.success || parsed.output.type !== type) throw new AppError('bad-request', `the data is no ${type}`)
  if (!hasAudioAndVideo(parsed.output.sdp)) throw new AppError('offer-incomplete', 'audio and video are both needed')
  return parsed.output.sdp
}

/** The methods that relay descriptions and candidates. A match of users who have often left early holds addresses back. */
export function createSignallingMethods({ clock, roster, matches }: SignallingMethodDeps) {
  const budgets = new WeakMap<Side, TokenBucket>()

  /** Returns a function that tells whether the partner's browser may get a candidate of this user. */
  function allowedFor(match: Match, { accountId, network }: InvokingConnection): (candidate: string) => boolean {
    const side = sideOf(match, accountId)
    const budget = budgets.get(side) ?? new TokenBucket(CANDIDATES, clock.now())
    budgets.set(side, budget)
    const partnerNetwork = roster.networkOf(partnerOf(match, accountId).accountId)
    return (candidate) =>
      candidate === '' || (mayBeTried(candidate, network, partnerNetwork) && budget.take(clock.now()))
  }

  function relayDescription(role: Role, type: 'offer' | 'answer', event: 'OnOfferReceived' | 'OnAnswerReceived') {
    return (connection: InvokingConnection, [id, peer, data]: HubParsed<'HandleOffer'>): void => {
      const { accountId } = connection
      const match = matches.require(accountId, id)
      const partner = requirePeer(roster, match, accountId, peer)
      if (sideOf(match, accountId).role !== role) throw new AppError('forbidden', `only the ${role} may do this`)
      const described = requireDescription(data, type)
      const sdp = withoutCandidates(described, allowedFor(match, connection))
      const allowed = sdp === described ? data : JSON.stringify({ type, sdp })
      const { addresses } = match
      const relayed = !addresses || addresses.isOver ? allowed : addresses.holdAddressesOf(partner, type, sdp)
      if (relayed === null) throw tooMuchWaits()
      const delivery = roster.relay(partner, event, [id, relayed])
      // Recorded before the refusal: if too much is on its way to the peer, this side is not at fault.
      if (type === 'offer') match.setup?.offered(delivery)
      else match.setup?.answered()
      if (delivery.isGivenUp) throw tooMuchWaits()
      if (type === 'answer') match.answeredAt ??= clock.now()
    }
  }

  return {
    HandleOffer: relayDescription('Caller', 'offer', 'OnOfferReceived'),
    HandleAnswer: relayDescription('Callee', 'answer', 'OnAnswerReceived'),

    HandleIceCandidate(connection, [id, peer, data]) {
      const { accountId } = connection
      const match = matches.require(accountId, id)
      const partner = requirePeer(roster, match, accountId, peer)
      const parsed = tryParse(candidateTextSchema, data)
      if (!parsed.success) throw new AppError('bad-request', 'the data is no candidate')
      // Not an error: every browser sends addresses that nobody outside its network can reach.
      if (!allowedFor(match, connection)(parsed.output.candidate)) return
      const { addresses } = match
      if (addresses && !addresses.isOver) {
        if (!addresses.holdCandidate(partner, data)) throw tooMuchWaits()
        return
      }
      relayToPeer(roster, partner, 'OnIceCandidate', [id, data])
    },
  } satisfies Partial<HubMethodHandlers>
}
