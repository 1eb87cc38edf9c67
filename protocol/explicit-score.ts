/** The classifier's scores of a picture, and the score from which a picture counts as explicit on the server and in browsers. */

/** In the order of the model's output. */
export const PICTURE_CLASSES = ['drawing', 'hentai', 'neutral', 'porn', 'sexy'] as const

/** The classifier's score of each class, from 0 to 1; the sum is 1. */
export type PictureScores = Record<(typeof PICTURE_CLASSES)[number], number>

/** Least explicit score, in percent, of a flagged picture. The server's setting FRAME_FLAG_SCORE replaces it in the server's own checks. */
export const FLAG_SCORE_PERCENT = 85

/** Skin alone is no offence: `sexy` does not count. */
export function explicitScore({ porn, hentai }: PictureScores): number {
  return porn + hentai
}

/** The result of one look at a picture; `score` is the explicit score. */
export type FlaggedLook = { flagged: boolean; score: number }
