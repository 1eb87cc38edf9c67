import { createChallenge, randomInt, verifySolution } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2'
import { type NoticeChallenge, type NoticeProof, noticeChallengeSchema } from '#protocol/content-notices.ts'
import { MINUTE_MS } from '#protocol/durations.ts'
import { parse } from '#protocol/parse.ts'
import type { Clock } from '../../platform/rules/clock.ts'
import type { Counts } from '../../platform/rules/counts.ts'

/**
 * Rounds of PBKDF2 for one key: so many that the overhead of a browser's call is small. The server derives one key for
 * each challenge, in 1 ms.
 */
const ROUNDS_A_KEY = 5_000
/** Keys that a browser derives at level 1: a million rounds, about a second on a cheap phone. */
const KEYS_A_LEVEL = 200
/** Highest level of work: about 15 s on a cheap phone. */
export const LEVEL_MAX = 16
/** Validity of a challenge. A slow phone needs less at the highest level. */
const VALID_MS = 10 * MINUTE_MS

type Deps = {
  /** A one-way function of this server's secrets, the same on all servers. */
  digest: (text: string) => string
  counts: Pick<Counts, 'add'>
  clock: Pick<Clock, 'now'>
}

/** Challenges for a browser, and the check of its solutions. */
export function createProofs({ digest, counts, clock }: Deps) {
  const secrets = {
    hmacSignatureSecret: digest('signatures of notice challenges'),
    hmacKeySignatureSecret: digest('keys of notice challenges'),
  }
  return {
    /** `level` is 1 to LEVEL_MAX; the work grows with it and varies by a fifth around it. */
    async create(level: number): Promise<NoticeChallenge> {
      const keys = level * KEYS_A_LEVEL
      const challenge = await createChallenge({
        algorithm: 'PBKDF2/SHA-256',
        cost: ROUNDS_A_KEY,
        counter: randomInt(Math.round(keys * 0.8), Math.round(keys * 1.2)),
        data: { endsAt: clock.now() + VALID_MS, level },
        deriveKey,
        ...secrets,
      })
      // With these options the challenge has fields that the library's type declares as optional.
      return parse(noticeChallengeSchema, challenge)
    },

    /**
     * Resolves with true once for each challenge that was solved in time. Resolves with false if its level is less than
     * half of `level`: easy challenges could be collected in advance.
     */
    async take({ challenge, solution }: NoticeProof, level: number): Promise<boolean> {
      const { verified } = await verifySolution({ challenge, solution, deriveKey, ...secrets })
      const { data } = challenge.parameters
      if (!verified || data.endsAt <= clock.now() || 2 * data.level < level) return false
      const uses = await counts.add(`notice challenge ${challenge.signature}`, VALID_MS)
      return uses.count === 1
    },
  }
}
export type Proofs = ReturnType<typeof createProofs>
