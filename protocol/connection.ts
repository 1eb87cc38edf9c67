import * as v from 'valibot'
import { DAY_MS } from './durations.ts'
import { post } from './endpoint.ts'

/** Outcome of a peer connection: established directly or over a relay, never established, or established and lost. */
export const connectionOutcomes = ['direct', 'relay', 'failed', 'lost'] as const
export type ConnectionOutcome = (typeof connectionOutcomes)[number]

/**
 * The selected candidate pair of a peer connection. `kind` is that of the less direct of the two candidates, so a pair
 * is relayed if either side is. `way` is the transport from this browser to its relay, or to the peer if this browser
 * uses no relay.
 */
const candidatePairSchema = v.object({
  kind: v.picklist(['host', 'srflx', 'prflx', 'relay']),
  way: v.picklist(['udp', 'tcp', 'tls']),
  family: v.picklist(['ipv4', 'ipv6', 'unknown']),
})
export type CandidatePair = v.InferOutput<typeof candidatePairSchema>

/** The server only counts outcomes; it stores neither match nor user. `afterMs` is the time since the match. */
export const reportConnection = post('call/connection/add', {
  json: v.object({
    outcome: v.picklist(connectionOutcomes),
    /** Sent with `direct` and `relay` if the browser knows the pair; earlier clients do not send it. */
    pair: v.optional(candidatePairSchema),
    afterMs: v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(DAY_MS)),
  }),
})
