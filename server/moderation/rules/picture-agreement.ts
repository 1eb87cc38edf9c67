import type { PictureAgreement } from '#protocol/console.ts'
import { hashDistance } from '../../platform/rules/perceptual-hash.ts'
import type { EvidenceFacts } from './evidence-ports.ts'

/** Most bits, of 99, in which the hashes of two pictures of one scene differ; measured, see docs/moderation.md. */
export const AGREEING_BITS = 32

/** Compares two pictures by their hashes; `unknown` if one of them has no hash. */
export function comparePrints(one: string | null, other: string | null): PictureAgreement {
  if (one === null || other === null) return 'unknown'
  return hashDistance(one, other) <= AGREEING_BITS ? 'agree' : 'disagree'
}

/** Compares the two pictures of a report. The result is only shown to moderators, since either browser can send any picture. */
export function agreementOf(
  pictures: readonly EvidenceFacts[],
  report: { session: string; reporter: string },
): PictureAgreement {
  const printOf = (kind: EvidenceFacts['kind']) =>
    pictures.find((one) => one.kind === kind && one.session === report.session && one.reporter === report.reporter)
      ?.print ?? null
  return comparePrints(printOf('reporters-view'), printOf('own-camera'))
}
