import * as v from 'valibot'
import { DAY_MS, MINUTE_MS } from './durations.ts'
import { post } from './endpoint.ts'
import { wholeUpTo } from './fields.ts'

/** What a browser reports of a call or a match, and the server only counts: no user, match, picture or score is stored. */

/** Outcome of a peer connection: established directly or over a relay, never established, or established and lost. */
export const connectionOutcomes = ['direct', 'relay', 'failed', 'lost'] as const
export type ConnectionOutcome = (typeof connectionOutcomes)[number]

/**
 * The selected candidate pair of a peer connection. `kind` is that of the less direct of the two candidates, so a pair is relayed if either
 * side is. `way` is the transport from this browser to its relay, or to the peer if this browser uses no relay.
 */
const candidatePairSchema = v.object({
  kind: v.picklist(['host', 'srflx', 'prflx', 'relay']),
  way: v.picklist(['udp', 'tcp', 'tls']),
  family: v.picklist(['ipv4', 'ipv6', 'unknown']),
})
export type CandidatePair = v.InferOutput<typeof candidatePairSchema>

/** Only counted: neither match nor user is stored. `afterMs` is the time since the match. */
export const reportConnection = post('call/connection/add', {
  json: v.object({
    outcome: v.picklist(connectionOutcomes),
    /** Sent with `direct` and `relay` if the browser knows the pair; earlier clients do not send it. */
    pair: v.optional(candidatePairSchema),
    afterMs: v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(DAY_MS)),
  }),
})

/** The safety curtain: counts that a browser reports at the end of a call. They hold no picture, no score and no id of the match. */

/** The models that browsers have or had. A server counts any other name under `other`. */
export const curtainModels = ['mobilenet-v2-mid'] as const
export type CurtainModelName = (typeof curtainModels)[number]

/** Most looks of one call: one a second for a day, at each of the two pictures. */
const LOOKS_MAX = 200_000
/** Most veils of one call. A user's choice holds for the rest of the call, so a call has few veils. */
const VEILS_MAX = 100

const countsSchema = v.pipe(
  v.object({
    /** Name and version of the model, as the worker reports it. */
    model: v.pipe(v.string('A model is needed'), v.regex(/^[\w.-]{1,40}$/, 'No name of a model')),
    looks: wholeUpTo(LOOKS_MAX),
    /** Looks that found nudity likely. */
    flagged: wholeUpTo(LOOKS_MAX),
    veils: wholeUpTo(VEILS_MAX),
    /** Veils that the person lifted with "Show anyway". */
    shownAnyway: wholeUpTo(VEILS_MAX),
  }),
  v.forward(
    v.check(({ flagged, looks }) => flagged <= looks, 'More than there were looks'),
    ['flagged'],
  ),
  v.forward(
    v.check(({ veils, flagged }) => veils <= flagged, 'More than there were flagged looks'),
    ['veils'],
  ),
  v.forward(
    v.check(({ shownAnyway, veils }) => shownAnyway <= veils, 'More than there were veils'),
    ['shownAnyway'],
  ),
)
export type CurtainCounts = v.InferOutput<typeof countsSchema>

/** Only counted: neither match nor user is stored. Sent once, at the end of a call. */
export const addCurtainCounts = post('curtain/counts', { json: countsSchema })

/** What a person felt of one match, measured by the browser: times and counts, without an id of the match. */

/** Browsers, grouped by where they ask for the camera and where the user allows it again. `ios-app`: a browser of iOS other than Safari. */
const browserFamilies = ['chrome', 'firefox', 'safari', 'iphone', 'ios-app', 'samsung'] as const
export type BrowserFamily = (typeof browserFamilies)[number]

/** Longest INP that is accepted. */
const PRESS_MAX_MS = MINUTE_MS
/** Shortest freeze that browsers count. It limits how many freezes a call can have. */
const FREEZE_MIN_MS = 150

const everyMatch = {
  browser: v.picklist(browserFamilies, 'No known browser'),
  /** INP of the page until the end of the match; missing without a press, and from browsers that do not measure it. */
  inpMs: v.optional(wholeUpTo(PRESS_MAX_MS)),
}

const pictureSchema = v.pipe(
  v.object({
    /** How long the peer sent a picture, in milliseconds. */
    ms: wholeUpTo(DAY_MS),
    freezes: wholeUpTo(DAY_MS / FREEZE_MIN_MS),
  }),
  v.forward(
    v.check(({ freezes, ms }) => freezes * FREEZE_MIN_MS <= ms, 'More freezes than time for them'),
    ['freezes'],
  ),
)

const experienceSchema = v.variant(
  'outcome',
  [
    v.object({
      ...everyMatch,
      outcome: v.literal('connected'),
      /** From the match to the peer's first picture. */
      firstFrameMs: wholeUpTo(MINUTE_MS),
      /** Missing if the call had too little of a picture. */
      picture: v.optional(pictureSchema),
    }),
    /** No call came about; `left` if one of the two users left before the setup could fail. */
    v.object({ ...everyMatch, outcome: v.picklist(['failed', 'left']) }),
  ],
  'No known outcome',
)
export type Experience = v.InferOutput<typeof experienceSchema>

/** Only counted: neither match nor user is stored. Sent at the end of a match, by a share of the browsers that consented. */
export const addExperience = post('call/experience/add', { json: experienceSchema })
