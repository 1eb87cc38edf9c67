import * as v from 'valibot'
import { DAY_MS, MINUTE_MS } from './durations.ts'
import { post } from './endpoint.ts'
import { wholeUpTo } from './fields.ts'

/** What a person felt of one match, measured by the browser: times and counts, without an id of the match. */

/**
 * Browsers, grouped by where they ask for the camera and where the user allows it again. `ios-app`: a browser of iOS
 * other than Safari.
 */
const browserFamilies = ['chrome', 'firefox', 'safari', 'iphone', 'ios-app', 'samsung'] as const
export type BrowserFamily = (typeof browserFamilies)[number]

/** Longest INP that is accepted. */
const PRESS_MAX_MS = MINUTE_MS
/** Shortest freeze that browsers count. It limits how many freezes a call can have. */
const FREEZE_MIN_MS = 150

const everyMatch = {
  browser: v.picklist(browserFamilies, 'No known browser'),
  /**
   * INP of the page until the end of the match; missing if nothing was pressed, and from browsers that do not measure
   * it.
   */
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
      /** Missing if the peer's picture was there for too short a time. */
      picture: v.optional(pictureSchema),
    }),
    /** No call came about; `left` if one of the two users left before the setup could fail. */
    v.object({ ...everyMatch, outcome: v.picklist(['failed', 'left']) }),
  ],
  'No known outcome',
)
export type Experience = v.InferOutput<typeof experienceSchema>

/**
 * The server only counts; it stores neither match nor user. Sent at the end of a match, by a share of the browsers
 * whose users consented.
 */
export const addExperience = post('call/experience/add', { json: experienceSchema })
