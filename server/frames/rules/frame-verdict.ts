/** How sure the classifier is of each of its classes, from 0 to 1; together they are 1. */
export type FrameScores = { drawing: number; hentai: number; neutral: number; porn: number; sexy: number }

/** A flagged picture counts; a suspicious one is told to moderators as a number and counts for nothing else. */
export type FrameVerdict = 'nothing' | 'suspicious' | 'flagged'

/** `hits` flagged pictures among the last `among` of at most `windowMs` make a finding. */
export type FlagPolicy = { flagScore: number; hits: number; among: number; windowMs: number }

export type JudgedFrame = { at: number; verdict: FrameVerdict; score: number }

export function explicitScore({ porn, hentai }: FrameScores): number {
  return porn + hentai
}

/** Skin alone is no offence, so that `sexy` can make a picture suspicious but never flag it. */
export function verdictOf(scores: FrameScores, flagScore: number): FrameVerdict {
  const explicit = explicitScore(scores)
  if (explicit >= flagScore) return 'flagged'
  return explicit + scores.sexy >= flagScore ? 'suspicious' : 'nothing'
}

/**
 * Pure. The pictures that still count after `frame` has come, and the flagged ones of them, oldest first, once they are
 * enough; then the count begins anew, so that no picture is part of two findings.
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
