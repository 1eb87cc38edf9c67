import * as v from 'valibot'
import { AppError } from '#protocol/errors.ts'
import { candidateSchema, descriptionSchema, type HubParsed, hasAudioAndVideo, type Role } from '#protocol/hub.ts'
import { tryParse } from '#protocol/parse.ts'
import type { Matches } from '../../matching/matches.ts'
import { requireRole } from '../../matching/rules/match.ts'
import type { Clock } from '../../platform/rules/clock.ts'
import type { InvokingConnection } from '../connection.ts'
import { isDeeperThan } from '../messages.ts'
import type { Roster } from '../roster.ts'
import type { HubMethodHandlers } from './hub-methods.ts'
import { relayToPeer, requirePeer, tooMuchWaits } from './peer-access.ts'

export type SignallingMethodDeps = { clock: Clock; roster: Roster; matches: Matches }

/** Levels of arrays and objects in a description or candidate; browsers send one. */
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

/** Returns the SDP of the description. */
function requireDescription(data: string, type: 'offer' | 'answer'): string {
  const parsed = tryParse(descriptionTextSchema, data)
  if (!parsed.success || parsed.output.type !== type) throw new AppError('bad-request', `the data is no ${type}`)
  if (!hasAudioAndVideo(parsed.output.sdp)) throw new AppError('offer-incomplete', 'audio and video are both needed')
  return parsed.output.sdp
}

/** The methods that relay descriptions and candidates. Addresses are held in a match of users who have often left early. */
export function createSignallingMethods({
  clock,
  roster,
  matches,
}: SignallingMethodDeps): Pick<HubMethodHandlers, 'HandleOffer' | 'HandleAnswer' | 'HandleIceCandidate'> {
  function relayDescription(role: Role, type: 'offer' | 'answer', event: 'OnOfferReceived' | 'OnAnswerReceived') {
    return ({ accountId }: InvokingConnection, [id, peer, data]: HubParsed<'HandleOffer'>): void => {
      const match = matches.require(accountId, id)
      const partner = requirePeer(roster, match, accountId, peer)
      requireRole(match, accountId, role)
      const sdp = requireDescription(data, type)
      const { addresses } = match
      const relayed = !addresses || addresses.isOver ? data : addresses.holdAddressesOf(partner, type, sdp)
      if (relayed === null) throw tooMuchWaits()
      relayToPeer(roster, partner, event, [id, relayed])
      if (type === 'answer') match.answeredAt ??= clock.now()
    }
  }

  return {
    HandleOffer: relayDescription('Caller', 'offer', 'OnOfferReceived'),
    HandleAnswer: relayDescription('Callee', 'answer', 'OnAnswerReceived'),

    HandleIceCandidate({ accountId }, [id, peer, data]) {
      const match = matches.require(accountId, id)
      const partner = requirePeer(roster, match, accountId, peer)
      if (!tryParse(candidateTextSchema, data).success) throw new AppError('bad-request', 'the data is no candidate')
      const { addresses } = match
      if (addresses && !addresses.isOver) {
        if (!addresses.holdCandidate(partner, data)) throw tooMuchWaits()
        return
      }
      relayToPeer(roster, partner, 'OnIceCandidate', [id, data])
    },
  }
}
