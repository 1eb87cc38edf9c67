import { solveChallenge } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/web/pbkdf2'
import type { NoticeChallenge, NoticeProof } from '#protocol/content-notices.ts'

/** Longest time of a calculation: ten times that of the hardest challenge on a cheap phone. */
const TIMEOUT_MS = 150_000

/**
 * Calculates the proof of work of a challenge. crypto.subtle derives each key outside of the page's thread. Resolves with null after an
 * abort or the timeout. Rejects if the page has no crypto.subtle, which browsers offer only on https and localhost.
 */
export async function solveNoticeChallenge(
  challenge: NoticeChallenge,
  controller: AbortController,
): Promise<NoticeProof | null> {
  const solution = await solveChallenge({ challenge, controller, deriveKey, timeout: TIMEOUT_MS })
  return solution && { challenge, solution: { counter: solution.counter, derivedKey: solution.derivedKey } }
}
