import { explicitScore, type PictureScores } from '#protocol/explicit-score.ts'

/** Flagged pictures count towards a finding. Of suspicious pictures, moderators see only the number. */
export type FrameVerdict = 'nothing' | 'suspicious' | 'flagged'

/** `hits` flagged pictures among the last `among` of at most `windowMs` make a finding. */
export type FlagPolicy = { flagScore: number; hits: number; among: number; windowMs: number }

export type JudgedFrame = { at: number; verdict: FrameVerdict; score: number }

/** Skin alone is no offence: `sexy` can make a picture suspicious, but never flags it. */
export function verdictOf(scores: PictureScores, flagScore: number): FrameVerdict {
  const explicit = explicitScore(scores)
  if (explicit >= flagScore) return 'flagged'
  return explicit + scores.sexy >= flagScore ? 'suspicious' : 'nothing'
}

/**
 * Returns the pictures that count after `frame`. `flagged` are the flagged pictures among them, oldest first, if there
 * are enough for a finding. In that case no picture counts afterwards, so that no picture is part of two findings.
 */
export function countFlags<F extends JudgedFrame>(
  earlier: readonly F[],
  frame: F,
  { hits, among, windowMs }: FlagPolicy,
): { counting: F[]; flagged: F[] | null } {
  const counting = [...earlier, frame].filter(({ at }) => at > frame.at - windowMs).slice(-among)
  const flagged = counting.filter(({ verdict }) => verdict === 'flagged')
  return flagged.length < hits ? { counting, flagged: null } : { counting: [], flagged }
}
