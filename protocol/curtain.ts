import * as v from 'valibot'
import { post } from './endpoint.ts'
import { wholeUpTo } from './fields.ts'

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

/** The server only adds up the counts; it stores neither match nor user. Sent once, at the end of a call. */
export const addCurtainCounts = post('curtain/counts', { json: countsSchema })
