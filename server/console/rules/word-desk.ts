import { type ConsoleWords, REFUSED_WORDS_MAX } from '#protocol/console.ts'
import { AppError } from '#protocol/errors.ts'
import type { Clock } from '../../platform/rules/clock.ts'
import type { RefusedWords } from '../../words/rules/refused-phrases.ts'
import type { ConsoleCaller, RecordAction } from './ports.ts'

type Deps = {
  records: RefusedWords
  /** Resolves with the interests that are offered to everybody. */
  suggest: () => Promise<string[]>
  record: RecordAction
  clock: Pick<Clock, 'now'>
}

/** The words that moderators refuse. Each change is written to the audit before it happens. */
export function createWordDesk({ records, suggest, record, clock }: Deps) {
  async function read(): Promise<ConsoleWords> {
    const [suggested, refused] = await Promise.all([suggest(), records.all()])
    return { suggested, refused }
  }

  const isRefused = async (word: string) => (await records.all()).some((refused) => refused.word === word)

  return {
    read,

    async refuse(caller: ConsoleCaller, word: string): Promise<ConsoleWords> {
      if (await isRefused(word)) return read()
      await record(caller, 'word-refused', word)
      const isAdded = await records.add({ word, moderator: caller.name, at: clock.now() }, REFUSED_WORDS_MAX)
      if (!isAdded && !(await isRefused(word)))
        throw new AppError('wrong-state', `At most ${REFUSED_WORDS_MAX} words are refused`, { field: 'word' })
      return read()
    },

    async allow(caller: ConsoleCaller, word: string): Promise<ConsoleWords> {
      if (await isRefused(word)) {
        await record(caller, 'word-allowed', word)
        await records.remove(word)
      }
      return read()
    },
  }
}
