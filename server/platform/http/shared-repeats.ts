import type { FastifyBaseLogger } from 'fastify'
import * as v from 'valibot'
import { AppError } from '#protocol/errors.ts'
import { parse } from '#protocol/parse.ts'
import { type Clock, pause } from '../rules/clock.ts'
import { REPEATS_KEPT_MS, type RepeatId, type RepeatRecords } from '../rules/idempotency.ts'
import { FREE_REPEATS, type Repeats } from './repeats.ts'

/** Longer than any call is in work; who has not answered by then has died. */
const CLAIM_MS = 30_000
/** Below the time after which a browser gives up. */
const WAIT_MS = 15_000
const LOOK_EVERY_MS = 100

/** Where several servers share their records: whichever gets the repeat answers as the first did. */
export function createSharedRepeats(deps: {
  records: RepeatRecords
  clock: Clock
  newId: () => string
  log: FastifyBaseLogger
}): Repeats {
  const { records, clock, newId, log } = deps

  /** Null once it is ours to carry out. */
  async function answerOfFirst(id: RepeatId, owner: string): Promise<{ answer: string } | null> {
    const giveUpAt = clock.now() + WAIT_MS
    for (;;) {
      const now = clock.now()
      const state = await records.claim(id, { owner, now, until: now + CLAIM_MS, freeRepeats: FREE_REPEATS })
      if (state === 'ours') return null
      if (state !== 'taken') return state
      if (now >= giveUpAt) throw new AppError('too-many-requests', 'The same call is still in work')
      await pause(clock, LOOK_EVERY_MS)
    }
  }

  /** What has been done is done, be it written down or not. */
  async function note(writing: Promise<void>): Promise<void> {
    await writing.catch((error: unknown) => log.warn({ err: error }, 'what a call came to could not be kept'))
  }

  return {
    isFree: (id) => records.takeFreeRepeat(id, clock.now()),

    async once(id, answers, carryOut) {
      const owner = newId()
      const known = await answerOfFirst(id, owner)
      if (known) return parse(v.pipe(v.string(), v.parseJson(), answers), known.answer)
      try {
        const output = await carryOut()
        await note(records.answer(id, owner, JSON.stringify(output), clock.now() + REPEATS_KEPT_MS))
        return output
      } catch (error) {
        await note(records.release(id, owner))
        throw error
      }
    },
  }
}
