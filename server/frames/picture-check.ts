import type { CheckPicture } from '../accounts/rules/picture-check.ts'
import type { DecoderPool } from '../platform/pictures/decoder-pool.ts'
import type { Classifier } from './classifier/classifier.ts'
import { MODEL_SIDE } from './classifier/classifier-messages.ts'
import { verdictOf } from './rules/frame-verdict.ts'

type Deps = {
  classifier: Pick<Classifier, 'classify'>
  decoder: Pick<DecoderPool, 'decode'>
  flagScore: number
}

/** Judges stored profile pictures by the score that flags a camera frame. One picture is no finding: it is refused and nothing is recorded. */
export function createPictureCheck({ classifier, decoder, flagScore }: Deps): CheckPicture {
  return async (picture, accountId) => {
    const task = { task: 'view', bytes: picture, side: MODEL_SIDE } as const
    const view = await decoder.decode({ accountId, isInternal: true, task })
    const scores = view && (await classifier.classify(view.data))
    if (!scores) return 'unchecked'
    return verdictOf(scores, flagScore) === 'flagged' ? 'refused' : 'passed'
  }
}
