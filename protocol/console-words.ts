import * as v from 'valibot'
import { type Endpoint, get, post } from './endpoint.ts'
import { recordsOf } from './parse.ts'
import { interestSchema } from './preferences.ts'

/** Words that moderators refuse: a part of the table in console.ts. */

/** Most refused words. Each is compared with every nickname and interest that is checked. */
export const REFUSED_WORDS_MAX = 1_000

const wordsSchema = v.object({
  /** Interests that are offered to everybody now, most used first. */
  suggested: recordsOf(v.string()),
  refused: recordsOf(v.object({ word: v.string(), moderator: v.string(), at: v.number() })),
})
export type ConsoleWords = v.InferOutput<typeof wordsSchema>

const inputSchema = v.object({ word: interestSchema })

export const consoleWordEndpoints = {
  readWords: get('moderation/words', { response: wordsSchema }),
  /**
   * Refuses a word, or words that follow each other, in nicknames, interests and suggestions. Rejected with
   * `wrong-state` once `REFUSED_WORDS_MAX` words are refused.
   */
  refuseWord: post('moderation/words/refuse', { json: inputSchema, response: wordsSchema, again: 'repeatable' }),
  allowWord: post('moderation/words/allow', { json: inputSchema, response: wordsSchema, again: 'repeatable' }),
} satisfies Record<string, Endpoint>
